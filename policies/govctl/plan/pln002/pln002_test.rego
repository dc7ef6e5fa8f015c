package govctl.plan.pln002_test

import data.govctl.lib.expect_test
import data.govctl.plan.pln002

test_findings[note] if {
	some note, c in cases
	expect_test.paths(pln002.findings) == c.want with input as c.input with data.params as expect_test.params(object.get(c, "params", {}))
}

cases := {
	"fires: above": {"input": {"plan": {"changes": [{"kind": "limit", "after": 60}, {"kind": "limit", "after": 50}]}}, "want": {"/plan/changes"}, "params": {"budget": 100}},
	"fires: above in the overview": {"input": {"plan": {"changes": []}, "overview": {"sum": 101}}, "want": {"/plan/changes"}, "params": {"budget": 100}},
	"passes: within": {"input": {"plan": {"changes": [{"kind": "limit", "after": 60}, {"kind": "setting", "after": 50}]}}, "want": set(), "params": {"budget": 100}},
	"passes: no budget": {"input": {"plan": {"changes": [{"kind": "limit", "after": 60}]}}, "want": set()},
	"missing: no changes": {"input": {"plan": {}}, "want": set(), "params": {"budget": 100}},
	"wrong type: a text is left to PLN006": {"input": {"plan": {"changes": [{"kind": "limit", "after": "600"}]}}, "want": set(), "params": {"budget": 100}},
	"wrong type: the budget": {"input": {"plan": {"changes": []}}, "want": {"/plan/changes"}, "params": {"budget": "100"}},
}
