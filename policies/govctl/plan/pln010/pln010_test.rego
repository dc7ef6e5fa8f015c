package govctl.plan.pln010_test

import data.govctl.lib.expect_test
import data.govctl.plan.pln010

test_findings[note] if {
	some note, c in cases
	expect_test.paths(pln010.findings) == c.want with input as c.input
}

cases := {
	"fires: another account": {"input": {"plan": {"changes": [{"kind": "computer", "action": "update", "key": "b", "fields": [{"name": "name", "before": "a", "after": "b"}, {"name": "remote_user", "before": "root", "after": "ci"}]}]}}, "want": {"/plan/changes/0/fields/1"}},
	"fires: blocked": {"input": {"plan": {"changes": [{"kind": "computer", "action": "blocked", "key": "b", "detail": "provider is byom"}]}}, "want": {"/plan/changes/0"}},
	"passes: a new account and a new computer": {"input": {"plan": {"changes": [{"kind": "computer", "action": "update", "key": "b", "fields": [{"name": "remote_user", "before": "", "after": "ci"}]}, {"kind": "computer", "action": "create", "key": "c", "fields": [{"name": "host_id", "before": "", "after": "x"}]}]}}, "want": set()},
	"missing: no changes": {"input": {"plan": {}}, "want": set()},
	"wrong type: a number": {"input": {"plan": {"changes": [{"kind": "computer", "action": "update", "key": "b", "fields": [{"name": "host_id", "before": 7, "after": "x"}]}]}}, "want": {"/plan/changes/0/fields/0"}},
}
