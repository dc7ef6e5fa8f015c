package govctl.plan.pln005_test

import data.govctl.lib.expect_test
import data.govctl.plan.pln005

test_findings[note] if {
	some note, c in cases
	expect_test.paths(pln005.findings) == c.want with input as c.input
}

cases := {
	"fires: below": {"input": {"plan": {"changes": [{"kind": "limit", "key": "ada@x", "after": 100}]}, "usage": {"users": [{"user_email": "Ada@x", "billable_tokens": 60}, {"user_email": "ada@x", "billable_tokens": 60}]}}, "want": {"/plan/changes/0/after"}},
	"passes: above": {"input": {"plan": {"changes": [{"kind": "limit", "key": "ada@x", "after": 100}, {"kind": "limit", "key": "eve@x", "after": 1}]}, "usage": {"users": [{"user_email": "ada@x", "billable_tokens": 60}, {"user_email": null, "billable_tokens": 600}]}}, "want": set()},
	"missing: no usage": {"input": {"plan": {"changes": [{"kind": "limit", "key": "ada@x", "after": 1}]}}, "want": set()},
	"wrong type: a text for a limit is left to PLN006": {"input": {"plan": {"changes": [{"kind": "limit", "key": "ada@x", "after": "1"}]}, "usage": {"users": [{"user_email": "ada@x", "billable_tokens": 60}]}}, "want": set()},
	"wrong type: a text for credits": {"input": {"plan": {"changes": []}, "usage": {"users": [{"user_email": "ada@x", "billable_tokens": "60"}]}}, "want": {"/usage/users/0/billable_tokens"}},
}
