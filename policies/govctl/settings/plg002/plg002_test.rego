package govctl.settings.plg002_test

import data.govctl.lib.expect_test
import data.govctl.settings.plg002

test_findings[note] if {
	some note, c in cases
	expect_test.paths(plg002.findings) == c.want with input as c.input
}

cases := {
	"fires: no strict list": {"input": {"settings": {"extraKnownMarketplaces": {"acme": {}}}}, "want": {"/settings/extraKnownMarketplaces"}},
	"fires: an empty strict list": {"input": {"settings": {"extraKnownMarketplaces": {"acme": {}}, "strictKnownMarketplaces": []}}, "want": {"/settings/extraKnownMarketplaces"}},
	"passes: a strict list": {"input": {"settings": {"extraKnownMarketplaces": {"acme": {}}, "strictKnownMarketplaces": [{"repo": "acme/plugins"}]}}, "want": set()},
	"passes: no extra ones": {"input": {"settings": {"extraKnownMarketplaces": {}}}, "want": set()},
	"missing: no property": {"input": {"settings": {"strictKnownMarketplaces": []}}, "want": set()},
	"wrong type: texts": {"input": {"settings": {"extraKnownMarketplaces": "acme", "strictKnownMarketplaces": "acme/plugins"}}, "want": {"/settings/extraKnownMarketplaces"}},
}
