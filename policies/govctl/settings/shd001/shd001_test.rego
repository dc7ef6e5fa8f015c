package govctl.settings.shd001_test

import data.govctl.lib.expect_test
import data.govctl.settings.shd001

test_findings[note] if {
	some note, c in cases
	expect_test.paths(shd001.findings) == c.want with input as c.input
}

cases := {
	"fires: off": {"input": {"settings": {"enableAgentShield": false}}, "want": {"/settings/enableAgentShield"}},
	"passes: on": {"input": {"settings": {"enableAgentShield": true}}, "want": set()},
	"missing: no switch": {"input": {"settings": {}}, "want": set()},
	"wrong type: a text": {"input": {"settings": {"enableAgentShield": "on"}}, "want": {"/settings/enableAgentShield"}},
}
