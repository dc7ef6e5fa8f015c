package govctl.plan.pln009_test

import data.govctl.lib.expect_test
import data.govctl.plan.pln009

test_findings[note] if {
	some note, c in cases
	expect_test.paths(pln009.findings) == c.want with input as c.input with data.params as expect_test.params(object.get(c, "params", {}))
}

cases := {
	"fires: too many": {"input": {"plan": {"changes": [{"kind": "limit", "before": {"grade": "never_set"}}, {"kind": "limit", "before": {"grade": "unknown"}}]}}, "want": {"/plan/changes"}, "params": {"max_unknown_limits": 1}},
	"fires: too many in the overview": {"input": {"plan": {"changes": []}, "overview": {"unknown": 2}}, "want": {"/plan/changes"}, "params": {"max_unknown_limits": 1}},
	"passes: known": {"input": {"plan": {"changes": [{"kind": "limit", "before": {"grade": "confirmed", "value": 1}}, {"kind": "limit", "before": {"grade": "expired", "value": 1}}, {"kind": "session"}]}}, "want": set(), "params": {"max_unknown_limits": 0}},
	"missing: no changes": {"input": {"plan": {}}, "want": set(), "params": {"max_unknown_limits": 0}},
	"wrong type: a text": {"input": {"plan": {"changes": [{"kind": "limit", "before": "confirmed"}]}}, "want": {"/plan/changes"}, "params": {"max_unknown_limits": 0}},
}
