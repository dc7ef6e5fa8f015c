package govctl.plan.pln007_test

import data.govctl.lib.expect_test
import data.govctl.plan.pln007

test_findings[note] if {
	some note, c in cases
	expect_test.paths(pln007.findings) == c.want with input as c.input
}

cases := {
	"fires: another case": {"input": {"plan": {"changes": [{"kind": "limit", "key": "Ada@x"}, {"kind": "limit", "key": "ada@x"}]}}, "want": {"/plan/changes/1/key"}},
	"fires: one id": {"input": {"plan": {"changes": [{"kind": "limit", "key": "ada@x", "user_id": "u1"}, {"kind": "limit", "key": "eve@x", "user_id": "u1"}]}}, "want": {"/plan/changes/1/key"}},
	"fires: the overview suspects it": {"input": {"plan": {"changes": [{"kind": "limit", "key": "ada@x"}, {"kind": "limit", "key": "ada@x"}]}, "overview": {"repeated": true}}, "want": {"/plan/changes/1/key"}},
	"passes: the overview excludes it": {"input": {"plan": {"changes": [{"kind": "limit", "key": "ada@x"}, {"kind": "limit", "key": "ada@x"}]}, "overview": {"repeated": false}}, "want": set()},
	"passes: two members": {"input": {"plan": {"changes": [{"kind": "limit", "key": "ada@x", "user_id": ""}, {"kind": "limit", "key": "eve@x", "user_id": ""}, {"kind": "session", "key": "ada@x"}]}}, "want": set()},
	"missing: no changes": {"input": {"plan": {}}, "want": set()},
	"wrong type: numbers are left to PLN004": {"input": {"plan": {"changes": [{"kind": "limit", "key": 7}, {"kind": "limit", "key": 7}]}}, "want": set()},
}
