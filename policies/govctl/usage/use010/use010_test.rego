package govctl.usage.use010_test

import data.govctl.lib.expect_test
import data.govctl.usage.use010

test_findings[note] if {
	some note, c in cases
	expect_test.paths(use010.findings) == c.want with input as c.input
}

cases := {
	"fires: no session": {"input": {"window": {"from": "2026-10-01", "to": "2026-10-28"}, "users": [{"user_email": "ada@x", "sessions": 0}], "limits": [{"email": "ada@x", "limit": 1}, {"email": "eve@x", "limit": 1}]}, "want": {"/limits/0", "/limits/1"}},
	"passes: a session": {"input": {"window": {"from": "2026-10-01", "to": "2026-10-28"}, "users": [{"user_email": "ADA@x", "sessions": 1}], "limits": [{"email": "ada@x", "limit": 1}]}, "want": set()},
	"passes: a short window": {"input": {"window": {"from": "2026-10-01", "to": "2026-10-02"}, "users": [], "limits": [{"email": "ada@x", "limit": 1}]}, "want": set()},
	"missing: no limits": {"input": {"window": {"from": "2026-10-01", "to": "2026-10-28"}, "users": []}, "want": set()},
	"wrong type: texts": {"input": {"window": {"from": "x", "to": "2026-10-28"}, "users": [{"user_email": "ada@x", "sessions": "0"}], "limits": [{"email": "ada@x", "limit": 1}]}, "want": {"/window"}},
}
