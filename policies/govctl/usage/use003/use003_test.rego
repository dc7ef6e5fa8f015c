package govctl.usage.use003_test

import data.govctl.lib.expect_test
import data.govctl.usage.use003

test_findings[note] if {
	some note, c in cases
	expect_test.paths(use003.findings) == c.want with input as c.input
}

cases := {
	"fires: no limit": {"input": {"users": [{"user_email": "ada@x", "billable_tokens": 5}, {"user_email": "Eve@x", "billable_tokens": 5}, {"user_email": "eve@x", "billable_tokens": 5}], "limits": [{"email": "ada@x", "limit": 1}]}, "want": {"/users/1"}},
	"passes: a limit": {"input": {"users": [{"user_email": "ADA@x", "billable_tokens": 5}, {"user_email": null, "billable_tokens": 5}, {"user_email": "eve@x", "billable_tokens": 0}], "limits": [{"email": "ada@x", "limit": 1}]}, "want": set()},
	"missing: no limits": {"input": {"users": [{"user_email": "ada@x", "billable_tokens": 5}]}, "want": set()},
	"wrong type: texts": {"input": {"users": [{"user_email": "ada@x", "billable_tokens": "5"}], "limits": "none"}, "want": {"/limits", "/users/0"}},
}
