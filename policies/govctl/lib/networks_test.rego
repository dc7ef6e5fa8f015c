package govctl.lib.networks_test

import data.govctl.lib.networks

least := {"ipv4": 16, "ipv6": 32}

test_problems[note] if {
	some note, c in {
		"narrow": {"entries": ["10.0.0.1", "10.0.0.0/16", "::1", "2001:db8::/32"], "want": {}},
		"wide": {"entries": ["10.0.0.0/16", "10.0.0.0/15"], "want": {1: `"10.0.0.0/15" is wider than a /16`}},
		"wide IPv6": {"entries": ["2001:db8::/31"], "want": {0: `"2001:db8::/31" is wider than a /32`}},
		"no network": {"entries": ["acme"], "want": {0: `"acme" is not an address or a network in CIDR form`}},
		"zero before the length": {"entries": ["10.0.0.0/08"], "want": {0: `"10.0.0.0/08" is not an address or a network in CIDR form`}},
		"number": {"entries": [7], "want": {}},
		"no list": {"entries": "0.0.0.0/0", "want": {}},
	}
	networks.problems(c.entries, least) == c.want
}
