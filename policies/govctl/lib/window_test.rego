package govctl.lib.window_test

import data.govctl.lib.window

test_days if window.days({"from": "2026-02-27", "to": "2026-03-01"}) == 3

test_one_day if window.days({"from": "2026-02-27", "to": "2026-02-27"}) == 1

test_problems[note] if {
	some note, c in {
		"fine": {"window": {"from": "2026-11-01", "to": "2026-11-02"}, "want": 0},
		"backwards": {"window": {"from": "2026-11-02", "to": "2026-11-01"}, "want": 1},
		"no days": {"window": {"from": "x", "to": 7}, "want": 1},
		"no window": {"window": "x", "want": 1},
	}
	count(window.problems(c.window)) == c.want
}
