package govctl.plan.pln003_test

import data.govctl.lib.expect_test
import data.govctl.plan.pln003

test_findings[note] if {
	some note, c in cases
	expect_test.paths(pln003.findings) == c.want with input as c.input with data.params as expect_test.params(object.get(c, "params", {}))
}

cases := {
	"fires: more than permitted": {"input": {"plan": {"changes": [{"kind": "limit", "action": "raise"}, {"kind": "limit", "action": "lower"}]}}, "want": {"/plan/changes"}, "params": {"max_changed_limits": 1}},
	"fires: a large share of the members": {"input": {"plan": {"changes": [{"kind": "limit", "action": "raise"}, {"kind": "limit", "action": "lower"}]}, "members": {"complete": true, "emails": ["a@x", "b@x", "c@x"]}}, "want": {"/plan/changes"}, "params": {"max_changed_floor": 1}},
	"fires: a large share of the limits": {"input": {"plan": {"changes": [{"kind": "limit", "action": "raise"}, {"kind": "limit", "action": "lower"}], "summary": {"limits": {"raise": 1, "lower": 1, "unchanged": 1}}}}, "want": {"/plan/changes"}, "params": {"max_changed_floor": 1}},
	"fires: a large share in the overview": {"input": {"plan": {"changes": []}, "overview": {"changed": 2, "addresses": 3}}, "want": {"/plan/changes"}, "params": {"max_changed_floor": 1}},
	"passes: first limits": {"input": {"plan": {"changes": [{"kind": "limit", "action": "set"}, {"kind": "limit", "action": "set"}], "summary": {"limits": {"set": 2}}}}, "want": set(), "params": {"max_changed_limits": 1, "max_changed_floor": 1}},
	"passes: a small share": {"input": {"plan": {"changes": [{"kind": "limit", "action": "raise"}], "summary": {"limits": {"raise": 1, "unchanged": 9}}}}, "want": set(), "params": {"max_changed_floor": 0}},
	"missing: no changes": {"input": {"plan": {}}, "want": set()},
	"wrong type: an action nobody knows": {"input": {"plan": {"changes": [{"kind": "limit", "action": 7}]}}, "want": set(), "params": {"max_changed_limits": 0}},
}
