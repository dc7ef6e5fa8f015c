package govctl.hooks.hok006_test

import data.govctl.hooks.hok006
import data.govctl.lib.expect_test

test_findings[note] if {
	some note, c in cases
	expect_test.paths(hok006.findings) == c.want with input as c.input
}

cases := {
	"fires: a misspelt event": {"input": {"hooks": {"stop": []}}, "want": {"/hooks/stop"}},
	"fires: a matcher without a tool": {"input": {"hooks": {"Stop": [{"matcher": "Edit", "hooks": []}]}}, "want": {"/hooks/Stop/0/matcher"}},
	"fires: an event called hooks": {"input": {"hooks": {"hooks": []}}, "want": {"/hooks/hooks"}},
	"passes: a matcher of a tool": {"input": {"hooks": {"PostToolUse": [{"matcher": "Edit"}], "Stop": [{"matcher": ""}, {}]}}, "want": set()},
	"passes: a wrapped file": {"input": {"hooks": {"hooks": {"Stop": []}}}, "want": set()},
	"missing: no file": {"input": {}, "want": set()},
	"wrong type: texts": {"input": {"hooks": {"Stop": "x", "Notification": ["x"], "SessionEnd": [{"matcher": 1}]}}, "want": {"/hooks/SessionEnd/0/matcher"}},
	"wrong type: no object": {"input": {"hooks": ["x"]}, "want": set()},
}
