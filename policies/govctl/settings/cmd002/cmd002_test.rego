package govctl.settings.cmd002_test

import data.govctl.lib.expect_test
import data.govctl.settings.cmd002

test_findings[note] if {
	some note, c in cases
	expect_test.paths(cmd002.findings) == c.want with input as c.input
}

cases := {
	"fires: an empty list": {"input": {"settings": {"commandDenylist": []}}, "want": {"/settings/commandDenylist"}},
	"passes: in another spelling": {"input": {"settings": {"commandDenylist": ["RM  -rf /"]}}, "want": set()},
	"missing: no list": {"input": {"settings": {}}, "want": set()},
	"wrong type: null": {"input": {"settings": {"commandDenylist": null}}, "want": {"/settings/commandDenylist"}},
	"wrong type: a number inside": {"input": {"settings": {"commandDenylist": ["rm -rf /", 1]}}, "want": {"/settings/commandDenylist/1"}},
}
