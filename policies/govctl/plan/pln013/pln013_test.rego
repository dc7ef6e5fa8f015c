package govctl.plan.pln013_test

import data.govctl.lib.expect_test
import data.govctl.plan.pln013

test_findings[note] if {
	some note, c in cases
	expect_test.paths(pln013.findings) == c.want with input as c.input
}

cases := {
	"fires: old": {"input": {"now": "2026-11-20T00:00:00Z", "plan": {"created_at": "2026-11-01T00:00:00Z"}}, "want": {"/plan/created_at"}},
	"fires: from the future": {"input": {"now": "2026-11-20T00:00:00Z", "plan": {"created_at": "2026-11-20T01:00:00Z"}}, "want": {"/plan/created_at"}},
	"passes: recent": {"input": {"now": "2026-11-20T00:00:00Z", "plan": {"created_at": "2026-11-19T23:00:00.5Z"}}, "want": set()},
	"missing: no time": {"input": {"now": "2026-11-20T00:00:00Z", "plan": {}}, "want": set()},
	"wrong type: a number": {"input": {"now": "2026-11-20T00:00:00Z", "plan": {"created_at": 1795000000}}, "want": {"/plan/created_at"}},
}
