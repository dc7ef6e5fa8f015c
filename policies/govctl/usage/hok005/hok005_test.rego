package govctl.usage.hok005_test

import data.govctl.lib.expect_test
import data.govctl.usage.hok005

test_findings[note] if {
	some note, c in cases
	expect_test.paths(hok005.findings) == c.want with input as c.input with data.params as expect_test.params(object.get(c, "params", {}))
}

cases := {
	"fires: not approved": {"input": {"tools": [{"hooks_by_event": [{"event": "Stop", "command": "/opt/a"}, {"event": "Stop", "command": "/opt/b"}]}]}, "want": {"/tools/0/hooks_by_event/1/command"}, "params": {"approved_hook_commands": ["/opt/a"]}},
	"passes: approved": {"input": {"tools": [{"hooks_by_event": [{"event": "Stop", "command": "/opt/a"}]}]}, "want": set(), "params": {"approved_hook_commands": ["/opt/a"]}},
	"missing: no rows": {"input": {}, "want": set()},
	"wrong type: a number": {"input": {"tools": [{"hooks_by_event": [{"event": "Stop", "command": 7}]}]}, "want": {"/tools/0/hooks_by_event/0/command"}},
	"wrong type: no list": {"input": {"tools": "x"}, "want": {"/tools"}},
}
