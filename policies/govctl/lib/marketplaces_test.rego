package govctl.lib.marketplaces_test

import data.govctl.lib.marketplaces

test_repos if marketplaces.repos([{"repo": "Acme/Plugins"}, {"repo": 7}, "x", {"repo": " "}]) == {"acme/plugins"}

test_repos_of_a_text if marketplaces.repos("acme/plugins") == set()

test_owner[note] if {
	some note, c in {
		"pair": {"repo": "Acme/plugins", "want": "acme"},
		"url": {"repo": "https://git.example.com/acme/plugins.git/", "want": "acme"},
		"name": {"repo": "plugins", "want": ""},
		"number": {"repo": 7, "want": ""},
	}
	marketplaces.owner(c.repo) == c.want
}

test_listed[note] if {
	some note, c in {
		"by source": {"name": "m", "known": {"m": {"source": {"url": "https://git.example.com/acme/plugins"}}}},
		"by text": {"name": "m", "known": {"m": "acme/plugins"}},
		"by owner": {"name": "Acme", "known": {}},
	}
	marketplaces.listed(c.name, {"acme/plugins"}, c.known)
}

test_not_listed[note] if {
	some note, c in {
		"another source": {"name": "acme", "known": {"acme": {"url": "https://git.example.com/evil/plugins"}}},
		"part of a name": {"name": "m", "known": {"m": "https://git.example.com/xacme/plugins"}},
		"unknown": {"name": "m", "known": {}},
	}
	not marketplaces.listed(c.name, {"acme/plugins"}, c.known)
}

test_problems[note] if {
	some note, c in {
		"fine": {"entries": [{"repo": "a/b"}], "want": set()},
		"no list": {"entries": null, "want": {"/settings/strictKnownMarketplaces"}},
		"no repo": {"entries": [{}, "x"], "want": {"/settings/strictKnownMarketplaces/0", "/settings/strictKnownMarketplaces/1"}},
	}
	{p.path | some p in marketplaces.problems(c.entries)} == c.want
}
