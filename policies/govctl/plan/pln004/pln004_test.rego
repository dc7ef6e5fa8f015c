package govctl.plan.pln004_test

import data.govctl.lib.expect_test
import data.govctl.plan.pln004

test_findings[note] if {
	some note, c in cases
	expect_test.paths(pln004.findings) == c.want with input as c.input with data.params as expect_test.params(object.get(c, "params", {}))
}

cases := {
	"fires: a stranger": {"input": {"plan": {"changes": [{"kind": "limit", "key": "eve@acme.example"}]}, "members": {"complete": true, "emails": ["ada@acme.example"]}}, "want": {"/plan/changes/0/key"}},
	"fires: another domain": {"input": {"plan": {"changes": [{"kind": "limit", "key": "eve@evil.example"}]}, "members": {"complete": false}}, "want": {"/plan/changes/0/key"}, "params": {"company_domains": ["acme.example"]}},
	"fires: a note": {"input": {"plan": {"changes": [], "notes": [{"code": "unlisted"}, {"code": "not_in_organization", "items": [{"key": "eve@acme.example"}]}]}, "members": {"complete": true, "emails": []}}, "want": {"/plan/notes/1"}},
	"fires: a stranger in the overview": {"input": {"plan": {"changes": []}, "members": {"complete": true, "emails": ["ada@acme.example"]}, "overview": {"strangers": [{"at": 4, "change": {"kind": "limit", "key": "eve@acme.example"}}]}}, "want": {"/plan/changes/4/key"}},
	"fires: another domain in the overview": {"input": {"plan": {"changes": [{"kind": "limit", "key": "eve@evil.example"}]}, "members": {"complete": false}, "overview": {"strangers": [], "domains": ["evil.example"]}}, "want": {"/plan/changes/0/key"}, "params": {"company_domains": ["acme.example"]}},
	"passes: the domains of the overview": {"input": {"plan": {"changes": [{"kind": "limit", "key": "eve@evil.example"}]}, "members": {"complete": false}, "overview": {"strangers": [], "domains": ["acme.example"]}}, "want": set(), "params": {"company_domains": ["Acme.example"]}},
	"passes: a member": {"input": {"plan": {"changes": [{"kind": "limit", "key": "ADA@acme.example"}, {"kind": "setting", "key": "/x"}]}, "members": {"complete": true, "emails": ["ada@acme.example"]}}, "want": set()},
	"missing: no members": {"input": {"plan": {"changes": [{"kind": "limit", "key": "eve@acme.example"}]}}, "want": set()},
	"wrong type: a number": {"input": {"plan": {"changes": [{"kind": "limit", "key": 7}]}, "members": {"complete": true, "emails": []}}, "want": {"/plan/changes/0/key"}},
}
