package govctl.settings.acc006_test

import data.govctl.lib.expect_test
import data.govctl.settings.acc006

test_findings[note] if {
	some note, c in cases
	expect_test.paths(acc006.findings) == c.want with input as c.input with data.params as expect_test.params(object.get(c, "params", {}))
}

cases := {
	"fires: a stranger": {"input": {"settings": {"byomComputersAllowedEmails": ["ADA@acme.example", "eve@acme.example"]}, "members": {"complete": true, "emails": ["ada@acme.example"], "ids": []}}, "want": {"/settings/byomComputersAllowedEmails/1"}},
	"fires: another domain": {"input": {"settings": {"managedComputersAllowedEmails": ["ada@acme.example", "ada@evil.example"]}}, "want": {"/settings/managedComputersAllowedEmails/1"}, "params": {"company_domains": ["acme.example"]}},
	"passes: members": {"input": {"settings": {"byomComputersAllowedEmails": ["ADA@acme.example"]}, "members": {"complete": true, "emails": ["ada@acme.example"], "ids": []}}, "want": set()},
	"passes: not all members were read": {"input": {"settings": {"byomComputersAllowedEmails": ["eve@acme.example"]}, "members": {"complete": false, "emails": [], "ids": []}}, "want": set()},
	"missing: no lists": {"input": {"settings": {}}, "want": set()},
	"wrong type: a text": {"input": {"settings": {"byomComputersAllowedEmails": "eve@evil.example"}}, "want": {"/settings/byomComputersAllowedEmails"}},
	"wrong type: null inside": {"input": {"settings": {"managedComputersAllowedEmails": [null]}, "members": {"complete": true, "emails": [], "ids": []}}, "want": {"/settings/managedComputersAllowedEmails/0"}},
}
