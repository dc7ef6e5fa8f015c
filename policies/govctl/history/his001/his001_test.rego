package govctl.history.his001_test

import data.govctl.history.his001
import data.govctl.lib.expect_test

test_findings[note] if {
	some note, c in cases
	expect_test.paths(his001.findings) == c.want with input as c.input
}

cases := {
	"fires: turned off": {"input": {"from": {"revision": 1, "settings": {"sandbox": {"enabled": true}, "enableAgentShield": true}}, "to": {"revision": 2, "settings": {"sandbox": {"enabled": false}}}}, "want": {"/to/settings/enableAgentShield", "/to/settings/sandbox/enabled"}},
	"fires: opened": {"input": {"from": {"revision": 1, "settings": {"modelPolicy": {"allowCustomModels": false}}}, "to": {"revision": 2, "settings": {"modelPolicy": {"allowCustomModels": true}}}}, "want": {"/to/settings/modelPolicy/allowCustomModels"}},
	"fires: a denial is gone": {"input": {"from": {"revision": 1, "settings": {"commandDenylist": ["a", "b"]}}, "to": {"revision": 2, "settings": {"commandDenylist": ["b", "c"]}}}, "want": {"/to/settings/commandDenylist"}},
	"fires: a list is empty": {"input": {"from": {"revision": 1, "settings": {"networkPolicy": {"allowedIps": ["203.0.113.0/24"]}}}, "to": {"revision": 2, "settings": {"networkPolicy": {"allowedIps": []}}}}, "want": {"/to/settings/networkPolicy/allowedIps"}},
	"passes: stronger": {"input": {"from": {"revision": 1, "settings": {"sandbox": {"enabled": false}, "commandDenylist": ["a"]}}, "to": {"revision": 2, "settings": {"sandbox": {"enabled": true}, "commandDenylist": ["b", "a"]}}}, "want": set()},
	"passes: weak before": {"input": {"from": {"revision": 1, "settings": {"sandbox": {"enabled": false}}}, "to": {"revision": 2, "settings": {"sandbox": {"enabled": false}}}}, "want": set()},
	"missing: nothing before": {"input": {"to": {"revision": 2, "settings": {"sandbox": {"enabled": false}}}}, "want": set()},
	"wrong type: texts": {"input": {"from": {"revision": 1, "settings": {"sandbox": {"enabled": true}, "commandDenylist": ["a"]}}, "to": {"revision": 2, "settings": {"sandbox": {"enabled": "true"}, "commandDenylist": "a"}}}, "want": {"/to/settings/commandDenylist", "/to/settings/sandbox/enabled"}},
	"wrong type: no object": {"input": {"from": {"revision": 1, "settings": {"sandbox": {"enabled": true}}}, "to": {"revision": 2, "settings": "x"}}, "want": {"/to/settings/sandbox/enabled"}},
}
