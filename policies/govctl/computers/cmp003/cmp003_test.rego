package govctl.computers.cmp003_test

import data.govctl.computers.cmp003
import data.govctl.lib.expect_test

test_findings[note] if {
	some note, c in cases
	expect_test.paths(cmp003.findings) == c.want with input as c.input
}

cases := {
	"fires: no owner": {"input": {"computers": [{"name": "a", "ownerId": ""}]}, "want": {"/computers/0"}},
	"fires: no TLS": {"input": {"computers": [{"name": "a", "ownerId": "u1", "relayClientUrl": "ws://relay.example/x", "relayAgentUrl": "relay.example"}]}, "want": {"/computers/0/relayAgentUrl", "/computers/0/relayClientUrl"}},
	"passes: owned and safe": {"input": {"computers": [{"name": "a", "ownerId": "u1", "relayClientUrl": "wss://relay.example/x", "relayAgentUrl": "https://relay.example"}]}, "want": set()},
	"missing: no computers": {"input": {}, "want": set()},
	"wrong type: a number": {"input": {"computers": [{"name": "a", "ownerId": "u1", "relayAgentUrl": 7}]}, "want": {"/computers/0/relayAgentUrl"}},
	"wrong type: no list": {"input": {"computers": "a"}, "want": {"/computers"}},
}
