package govctl.usage.use001_test

import data.govctl.lib.expect_test
import data.govctl.usage.use001

test_findings[note] if {
	some note, c in cases
	expect_test.paths(use001.findings) == c.want with input as c.input
}

cases := {
	"fires: will exceed": {"input": {"window": {"from": "2026-11-01", "to": "2026-11-10"}, "users": [{"user_email": "Ada@x", "billable_tokens": 30}, {"user_email": "ada@x", "billable_tokens": 10}], "limits": [{"email": "eve@x", "limit": 1}, {"email": "ada@x", "limit": 100}]}, "want": {"/limits/1"}},
	"fires: exceeds": {"input": {"window": {"from": "2026-09-01", "to": "2026-10-30"}, "users": [{"user_email": "ada@x", "billable_tokens": 101}], "limits": [{"email": "ada@x", "limit": 100}]}, "want": {"/limits/0"}},
	"passes: enough": {"input": {"window": {"from": "2026-11-01", "to": "2026-11-10"}, "users": [{"user_email": "ada@x", "billable_tokens": 30}, {"user_email": null, "billable_tokens": 999}], "limits": [{"email": "ada@x", "limit": 100}]}, "want": set()},
	"missing: no limits": {"input": {"window": {"from": "2026-11-01", "to": "2026-11-10"}, "users": [{"user_email": "ada@x", "billable_tokens": 30}]}, "want": set()},
	"wrong type: texts": {"input": {"window": {"from": "2026-11-01", "to": "yesterday"}, "users": [{"user_email": "ada@x", "billable_tokens": "30"}], "limits": [{"email": "ada@x", "limit": "1"}]}, "want": {"/limits/0", "/users/0/billable_tokens", "/window"}},
}
