package govctl.plan.pln001_test

import data.govctl.lib.expect_test
import data.govctl.plan.pln001

test_findings[note] if {
	some note, c in cases
	expect_test.paths(pln001.findings) == c.want with input as c.input
}

cases := {
	"fires: above the cap": {"input": {"plan": {"changes": [{"kind": "limit", "action": "set", "key": "a@x", "before": {"grade": "never_set"}, "after": 50000001}]}}, "want": {"/plan/changes/0/after"}},
	"fires: a zero too many": {"input": {"plan": {"changes": [{"kind": "session"}, {"kind": "limit", "action": "raise", "key": "a@x", "before": {"grade": "confirmed", "value": 1000}, "after": 10000}]}}, "want": {"/plan/changes/1/after"}},
	"fires: a big step": {"input": {"plan": {"changes": [{"kind": "limit", "action": "raise", "key": "a@x", "before": {"value": 9000000}, "after": 20000000}]}}, "want": {"/plan/changes/0/after"}},
	"passes: a small step": {"input": {"plan": {"changes": [{"kind": "limit", "key": "a@x", "before": {"value": 0}, "after": 5}, {"kind": "limit", "key": "b@x", "before": {"value": 100}, "after": 200}, {"kind": "limit", "key": "c@x", "before": {"grade": "never_set"}, "after": 200}]}}, "want": set()},
	"missing: no changes": {"input": {"plan": {}}, "want": set()},
	"fires: named by the overview": {"input": {"plan": {"changes": []}, "overview": {"notable": [{"at": 3, "change": {"kind": "limit", "key": "a@x", "after": 50000001}}], "rest": {"after": 9, "factor": 2, "raise": 8}}}, "want": {"/plan/changes/3/after"}},
	"fires: the overview says more": {"input": {"plan": {"changes": [{"kind": "limit", "key": "a@x", "after": 50000001}]}, "overview": {"notable": [], "rest": {"after": 50000001}}}, "want": {"/plan/changes/0/after"}},
	"fires: the overview has a step": {"input": {"plan": {"changes": [{"kind": "limit", "key": "a@x", "before": {"value": 1}, "after": 10}]}, "overview": {"notable": [], "rest": {"factor": 10}}}, "want": {"/plan/changes/0/after"}},
	"fires: the overview has a raise": {"input": {"plan": {"changes": [{"kind": "limit", "key": "a@x", "before": {"value": 9000000}, "after": 20000000}]}, "overview": {"notable": [], "rest": {"raise": 11000000}}}, "want": {"/plan/changes/0/after"}},
	"wrong type: a text is left to PLN006": {"input": {"plan": {"changes": [{"kind": "limit", "key": "a@x", "after": "99999999999"}, {"kind": "limit", "key": "a@x", "before": {"value": "1"}, "after": 9}]}}, "want": set()},
}
