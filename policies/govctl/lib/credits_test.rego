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

test_by_member_adds_up if {
	rows := [
		{"user_email": "Ada@x", "billable_tokens": 30},
		{"user_email": "eve@x", "billable_tokens": 0.5},
		{"user_email": "ada@x", "billable_tokens": 30},
		{"user_email": "ada@x", "billable_tokens": "30"},
		{"user_email": "ada@x"},
		{"user_email": null, "billable_tokens": 30},
		7,
	]
	credits.by_member(rows) == {"ada@x": 60, "eve@x": 0.5}
}

test_by_member_of_no_list if credits.by_member(7) == {}
