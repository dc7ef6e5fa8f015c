package govctl.lib.credits_test

import data.govctl.lib.credits

test_problems[note] if {
	some note, c in {
		"numbers": {"rows": [{"billable_tokens": 0}], "want": set()},
		"no list": {"rows": null, "want": {"/users"}},
		"hidden": {"rows": [{"billable_tokens": 1}, {}, {"billable_tokens": "1"}], "want": {"/users/1/billable_tokens"}},
	}
	{p.path | some p in credits.problems(c.rows, ["users"])} == c.want
}
