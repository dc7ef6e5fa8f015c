package govctl.settings.sbx003_test

import data.govctl.lib.expect_test
import data.govctl.settings.sbx003

test_findings[note] if {
	some note, c in cases
	expect_test.paths(sbx003.findings) == c.want with input as c.input
}

cases := {
	"fires: all": {"input": {"settings": {"sandbox": {"network": {"allowAllUnixSockets": true}}}}, "want": {"/settings/sandbox/network/allowAllUnixSockets"}},
	"passes: not all": {"input": {"settings": {"sandbox": {"network": {"allowAllUnixSockets": false}}}}, "want": set()},
	"missing: no switch": {"input": {"settings": {"sandbox": {}}}, "want": set()},
	"wrong type: a text": {"input": {"settings": {"sandbox": {"network": {"allowAllUnixSockets": "false"}}}}, "want": {"/settings/sandbox/network/allowAllUnixSockets"}},
}
