package govctl.settings.sbx001_test

import data.govctl.lib.expect_test
import data.govctl.settings.sbx001

test_findings[note] if {
	some note, c in cases
	expect_test.paths(sbx001.findings) == c.want with input as c.input
}

cases := {
	"fires: off": {"input": {"settings": {"sandbox": {"enabled": false}}}, "want": {"/settings/sandbox/enabled"}},
	"passes: on": {"input": {"settings": {"sandbox": {"enabled": true}}}, "want": set()},
	"missing: no settings": {"input": {"settings": {}}, "want": set()},
	"missing: no switch": {"input": {"settings": {"sandbox": {}}}, "want": set()},
	"wrong type: a text": {"input": {"settings": {"sandbox": {"enabled": "true"}}}, "want": {"/settings/sandbox/enabled"}},
	"wrong type: null": {"input": {"settings": {"sandbox": {"enabled": null}}}, "want": {"/settings/sandbox/enabled"}},
	"wrong type: no object": {"input": {"settings": {"sandbox": true}}, "want": {"/settings/sandbox"}},
}
