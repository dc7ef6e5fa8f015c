package govctl.usage.use002_test

import data.govctl.lib.expect_test
import data.govctl.usage.use002

test_findings[note] if {
	some note, c in cases
	expect_test.paths(use002.findings) == c.want with input as c.input
}

cases := {
	"fires: hardly used": {"input": {"window": {"from": "2026-10-01", "to": "2026-10-28"}, "users": [{"user_email": "ada@x", "billable_tokens": 9}], "limits": [{"email": "ada@x", "limit": 100}, {"email": "eve@x", "limit": 100}]}, "want": {"/limits/0", "/limits/1"}},
	"passes: used": {"input": {"window": {"from": "2026-10-01", "to": "2026-10-28"}, "users": [{"user_email": "ada@x", "billable_tokens": 10}], "limits": [{"email": "ada@x", "limit": 100}]}, "want": set()},
	"passes: a short window": {"input": {"window": {"from": "2026-10-01", "to": "2026-10-27"}, "users": [], "limits": [{"email": "ada@x", "limit": 100}]}, "want": set()},
	"missing: no limits": {"input": {"window": {"from": "2026-10-01", "to": "2026-10-28"}, "users": []}, "want": set()},
	"wrong type: texts": {"input": {"window": {"from": 1, "to": 2}, "users": "x", "limits": [{"email": "ada@x", "limit": "1"}]}, "want": {"/users", "/window"}},
}
