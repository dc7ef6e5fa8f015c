package govctl.settings.acc002_test

import data.govctl.lib.expect_test
import data.govctl.settings.acc002

test_findings[note] if {
	some note, c in cases
	expect_test.paths(acc002.findings) == c.want with input as c.input
}

cases := {
	"fires: open": {"input": {"settings": {"restrictMemberVisibility": false}}, "want": {"/settings/restrictMemberVisibility"}},
	"passes: restricted": {"input": {"settings": {"restrictMemberVisibility": true}}, "want": set()},
	"missing: no switch": {"input": {"settings": {}}, "want": set()},
	"wrong type: null": {"input": {"settings": {"restrictMemberVisibility": null}}, "want": {"/settings/restrictMemberVisibility"}},
}
