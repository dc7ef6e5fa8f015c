package govctl.settings.acc003_test

import data.govctl.lib.expect_test
import data.govctl.settings.acc003

test_findings[note] if {
	some note, c in cases
	expect_test.paths(acc003.findings) == c.want with input as c.input
}

cases := {
	"fires: everything": {"input": {"settings": {"networkPolicy": {"allowedIps": ["203.0.113.0/24", "0.0.0.0/0", "::/0"]}}}, "want": {"/settings/networkPolicy/allowedIps/1", "/settings/networkPolicy/allowedIps/2"}},
	"fires: no network": {"input": {"settings": {"networkPolicy": {"allowedIps": ["300.1.1.1", "vpn.acme.example", "10.0.0.0/33"]}}}, "want": {"/settings/networkPolicy/allowedIps/0", "/settings/networkPolicy/allowedIps/1", "/settings/networkPolicy/allowedIps/2"}},
	"passes: narrow": {"input": {"settings": {"networkPolicy": {"allowedIps": ["203.0.113.7", "198.51.100.0/24", "2001:db8::1", "2001:db8::/48"]}}}, "want": set()},
	"passes: IPv4 networks": {"input": {"settings": {"networkPolicy": {"allowedIps": ["203.0.113.0/24", "10.20.0.0/16"]}}}, "want": set()},
	"fires: a wide one among IPv4 networks": {"input": {"settings": {"networkPolicy": {"allowedIps": ["203.0.113.0/24", "10.0.0.0/15"]}}}, "want": {"/settings/networkPolicy/allowedIps/1"}},
	"missing: no list": {"input": {"settings": {"networkPolicy": {}}}, "want": set()},
	"wrong type: a text": {"input": {"settings": {"networkPolicy": {"allowedIps": "0.0.0.0/0"}}}, "want": {"/settings/networkPolicy/allowedIps"}},
	"wrong type: a number inside": {"input": {"settings": {"networkPolicy": {"allowedIps": [7]}}}, "want": {"/settings/networkPolicy/allowedIps/0"}},
}
