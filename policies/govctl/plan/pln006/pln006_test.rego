package govctl.plan.pln006_test

import data.govctl.lib.expect_test
import data.govctl.plan.pln006

test_findings[note] if {
	some note, c in cases
	expect_test.paths(pln006.findings) == c.want with input as c.input with data.params as expect_test.params(object.get(c, "params", {}))
}

cases := {
	"fires: zero, below and between": {"input": {"plan": {"changes": [{"kind": "limit", "key": "a@x", "after": 0}, {"kind": "limit", "key": "b@x", "after": -1}, {"kind": "limit", "key": "c@x", "after": 0.5}]}}, "want": {"/plan/changes/0/after", "/plan/changes/1/after", "/plan/changes/2/after"}},
	"passes: a number": {"input": {"plan": {"changes": [{"kind": "limit", "key": "a@x", "after": 1}, {"kind": "setting", "key": "/x", "after": 0}]}}, "want": set()},
	"fires: the overview has a zero": {"input": {"plan": {"changes": [{"kind": "limit", "key": "a@x", "after": 0}]}, "overview": {"least": 0}}, "want": {"/plan/changes/0/after"}},
	"passes: the overview has none": {"input": {"plan": {"changes": [{"kind": "limit", "key": "a@x", "after": 0}]}, "overview": {"least": 1}}, "want": set()},
	"passes: zero is permitted by the overview": {"input": {"plan": {"changes": []}, "overview": {"least": 0}}, "want": set(), "params": {"allow_zero_limit": true}},
	"passes: zero is permitted": {"input": {"plan": {"changes": [{"kind": "limit", "key": "a@x", "after": 0}]}}, "want": set(), "params": {"allow_zero_limit": true}},
	"missing: no changes": {"input": {"plan": {}}, "want": set()},
	"wrong type: no list": {"input": {"plan": {"changes": "none"}}, "want": {"/plan/changes"}},
	"wrong type: a text": {"input": {"plan": {"changes": [{"kind": "limit", "key": "a@x", "after": "1"}, {"kind": "limit", "key": "b@x"}]}}, "want": {"/plan/changes/0/after", "/plan/changes/1/after"}},
}
