package govctl.usage.use009_test

import data.govctl.lib.expect_test
import data.govctl.usage.use009

test_findings[note] if {
	some note, c in cases
	expect_test.paths(use009.findings) == c.want with input as c.input
}

cases := {
	"fires: a leap": {"input": {"users": days(1000000)}, "want": {"/users/5"}},
	"fires: without an address": {"input": {"users": [object.union(row, {"user_email": null}) | some row in days(1000000)]}, "want": {"/users/5"}},
	"passes: as usual": {"input": {"users": days(300000)}, "want": set()},
	"passes: a short history": {"input": {"users": array.slice(days(1000000), 1, 6)}, "want": set()},
	"missing: no rows": {"input": {}, "want": set()},
	"wrong type: a text": {"input": {"users": "x"}, "want": {"/users"}},
	"wrong type: a text for credits": {"input": {"users": days("1000000")}, "want": {"/users/5/billable_tokens"}},
}

days(newest) := array.concat(
	[{"user_id": "u1", "user_email": null, "date": sprintf("2026-11-0%d", [n]), "billable_tokens": 100000} | some n in numbers.range(1, 5)],
	[{"user_id": "u1", "user_email": "ada@x", "date": "2026-11-09", "billable_tokens": newest}],
)
