package govctl.settings.rtr001_test

import data.govctl.lib.expect_test
import data.govctl.settings.rtr001

test_findings[note] if {
	some note, c in cases
	expect_test.paths(rtr001.findings) == c.want with input as c.input
}

cases := {
	"fires: empty": {"input": {"settings": {"serviceRouterRules": [{"when": "a", "guidance": " "}, {"when": "b"}]}}, "want": {"/settings/serviceRouterRules/0", "/settings/serviceRouterRules/1"}},
	"fires: the same case": {"input": {"settings": {"serviceRouterRules": [{"when": "Tests fail", "guidance": "x"}, {"when": "tests  fail", "guidance": "y"}]}}, "want": {"/settings/serviceRouterRules/1"}},
	"passes: two cases": {"input": {"settings": {"serviceRouterRules": [{"when": "a", "guidance": "x"}, {"when": "b", "guidance": "x"}]}}, "want": set()},
	"missing: no rules": {"input": {"settings": {}}, "want": set()},
	"wrong type: texts": {"input": {"settings": {"serviceRouterRules": ["a"]}}, "want": {"/settings/serviceRouterRules/0"}},
	"wrong type: no list": {"input": {"settings": {"serviceRouterRules": "a"}}, "want": {"/settings/serviceRouterRules"}},
}
