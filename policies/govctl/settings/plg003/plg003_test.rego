package govctl.settings.plg003_test

import data.govctl.lib.expect_test
import data.govctl.settings.plg003

test_findings[note] if {
	some note, c in cases
	expect_test.paths(plg003.findings) == c.want with input as c.input with data.params as expect_test.params(object.get(c, "params", {}))
}

cases := {
	"fires: another owner": {"input": {"settings": {"strictKnownMarketplaces": [{"repo": "Acme/plugins"}, {"repo": "acne/plugins"}]}}, "want": {"/settings/strictKnownMarketplaces/1/repo"}, "params": {"marketplace_owners": ["acme"]}},
	"passes: a known owner": {"input": {"settings": {"strictKnownMarketplaces": [{"repo": "https://git.example.com/acme/plugins.git"}]}}, "want": set(), "params": {"marketplace_owners": ["ACME"]}},
	"missing: no list": {"input": {"settings": {}}, "want": set()},
	"wrong type: a number": {"input": {"settings": {"strictKnownMarketplaces": [{"repo": 7}]}}, "want": {"/settings/strictKnownMarketplaces/0", "/settings/strictKnownMarketplaces/0/repo"}},
	"wrong type: an object": {"input": {"settings": {"strictKnownMarketplaces": {}}}, "want": {"/settings/strictKnownMarketplaces"}},
}
