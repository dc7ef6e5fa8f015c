package govctl.hooks.hok002_test

import data.govctl.hooks.hok002
import data.govctl.lib.expect_test

test_findings[note] if {
	some note, c in cases
	expect_test.paths(hok002.findings) == c.want with input as c.input
}

cases := {
	"fires: a wrapped file": {"input": {"hooks": {"hooks": {"Stop": []}}}, "want": {"/hooks/hooks"}},
	"fires: another type": {"input": {"hooks": {"Stop": [{"hooks": [{"type": "prompt", "command": "x"}, {"command": ""}]}]}}, "want": {"/hooks/Stop/0/hooks/0", "/hooks/Stop/0/hooks/1"}},
	"passes: as documented": {"input": {"hooks": {"PostToolUse": [{"matcher": "Edit", "hooks": [{"type": "command", "command": "x", "timeout": 5}]}], "Stop": []}}, "want": set()},
	"missing: no file": {"input": {}, "want": set()},
	"wrong type: texts": {"input": {"hooks": {"Stop": "x", "Notification": ["x"], "SessionEnd": [{"hooks": "x"}], "SubagentStop": [{"hooks": ["x"]}]}}, "want": {"/hooks/Notification/0", "/hooks/SessionEnd/0/hooks", "/hooks/Stop", "/hooks/SubagentStop/0/hooks/0"}},
	"wrong type: no object": {"input": {"hooks": ["x"]}, "want": {"/hooks"}},
}
