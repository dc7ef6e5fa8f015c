package govctl.settings.acc004_test

import data.govctl.lib.expect_test
import data.govctl.settings.acc004

test_findings[note] if {
	some note, c in cases
	expect_test.paths(acc004.findings) == c.want with input as c.input
}

cases := {
	"fires: an empty list": {"input": {"settings": {"networkPolicy": {"allowedIps": []}}}, "want": {"/settings/networkPolicy"}},
	"passes: a network": {"input": {"settings": {"networkPolicy": {"allowedIps": ["203.0.113.0/24"]}}}, "want": set()},
	"missing: no policy": {"input": {"settings": {}}, "want": {"/settings/networkPolicy"}},
	"missing: no settings": {"input": {}, "want": set()},
	"wrong type: a text": {"input": {"settings": {"networkPolicy": {"allowedIps": "0.0.0.0/0"}}}, "want": {"/settings/networkPolicy"}},
	"wrong type: no object": {"input": {"settings": {"networkPolicy": true}}, "want": {"/settings/networkPolicy"}},
}
