package govctl.history.his002_test

import data.govctl.history.his002
import data.govctl.lib.expect_test

test_findings[note] if {
	some note, c in cases
	expect_test.paths(his002.findings) == c.want with input as c.input with data.params as expect_test.params(object.get(c, "params", {}))
}

cases := {
	"fires: nobody": {"input": {"to": {"revision": 2, "actor": {"id": "", "email": "", "name": ""}}}, "want": {"/to/actor"}},
	"fires: no admin": {"input": {"to": {"revision": 2, "actor": {"id": "u2", "email": "eve@acme.example", "name": "u1"}}}, "want": {"/to/actor"}, "params": {"admins": ["u1"]}},
	"fires: another domain": {"input": {"to": {"revision": 2, "actor": {"id": "u1", "email": "ada@acme.example.evil.example"}}}, "want": {"/to/actor"}, "params": {"company_domains": ["acme.example"]}},
	"passes: anybody": {"input": {"to": {"revision": 2, "actor": {"id": "u1"}}}, "want": set()},
	"passes: an admin": {"input": {"to": {"revision": 2, "actor": {"id": "u1", "email": "ada@acme.example"}}}, "want": set(), "params": {"admins": ["u1"], "company_domains": ["acme.example"]}},
	"missing: no actor": {"input": {"to": {"revision": 2}}, "want": set()},
	"wrong type: a text": {"input": {"to": {"revision": 2, "actor": "u1"}}, "want": {"/to/actor"}},
	"wrong type: a number": {"input": {"to": {"revision": 2, "actor": {"id": 1}}}, "want": {"/to/actor"}},
}
