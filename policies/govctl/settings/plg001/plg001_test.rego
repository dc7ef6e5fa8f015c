package govctl.settings.plg001_test

import data.govctl.lib.expect_test
import data.govctl.settings.plg001

test_findings[note] if {
	some note, c in cases
	expect_test.paths(plg001.findings) == c.want with input as c.input
}

cases := {
	"fires: another marketplace": {"input": {"settings": {"enabledPlugins": {"a@acme": true, "b@other": true}, "strictKnownMarketplaces": [{"repo": "acme/plugins"}]}}, "want": {"/settings/enabledPlugins/b@other"}},
	"fires: another source": {"input": {"settings": {"enabledPlugins": {"a@acme": {"version": 1}}, "extraKnownMarketplaces": {"acme": {"source": {"url": "https://git.example.com/evil/plugins"}}}, "strictKnownMarketplaces": [{"repo": "acme/plugins"}]}}, "want": {"/settings/enabledPlugins/a@acme"}},
	"fires: no marketplace": {"input": {"settings": {"enabledPlugins": ["a"], "strictKnownMarketplaces": [{"repo": "acme/plugins"}]}}, "want": {"/settings/enabledPlugins/0"}},
	"passes: listed": {"input": {"settings": {"enabledPlugins": {"a@acme": true, "b@other": false}, "extraKnownMarketplaces": {"acme": {"source": {"source": "git", "url": "https://git.example.com/acme/plugins.git"}}}, "strictKnownMarketplaces": [{"repo": "acme/plugins"}]}}, "want": set()},
	"passes: an empty list": {"input": {"settings": {"enabledPlugins": {"b@other": true}, "strictKnownMarketplaces": []}}, "want": set()},
	"missing: no list": {"input": {"settings": {"enabledPlugins": {"b@other": true}}}, "want": set()},
	"missing: no plugins": {"input": {"settings": {"strictKnownMarketplaces": [{"repo": "acme/plugins"}]}}, "want": set()},
	"wrong type: texts": {"input": {"settings": {"enabledPlugins": "b@other", "strictKnownMarketplaces": "acme/plugins"}}, "want": {"/settings/enabledPlugins", "/settings/strictKnownMarketplaces"}},
}
