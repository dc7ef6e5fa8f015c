package govctl.settings.sbx005_test

import data.govctl.lib.expect_test
import data.govctl.settings.sbx005

test_findings[note] if {
	some note, c in cases
	expect_test.paths(sbx005.findings) == c.want with input as c.input
}

cases := {
	"fires: allowed": {"input": {"settings": {"sandbox": {"network": {"allowLocalBinding": true}}}}, "want": {"/settings/sandbox/network/allowLocalBinding"}},
	"passes: not allowed": {"input": {"settings": {"sandbox": {"network": {"allowLocalBinding": false}}}}, "want": set()},
	"missing: no switch": {"input": {"settings": {}}, "want": set()},
	"wrong type: a number": {"input": {"settings": {"sandbox": {"network": {"allowLocalBinding": 0}}}}, "want": {"/settings/sandbox/network/allowLocalBinding"}},
}
