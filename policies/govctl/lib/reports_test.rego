package govctl.lib.reports_test

import data.govctl.lib.reports

all := [
	{"reportId": "1", "branch": "main", "hasLocalChanges": true},
	{"reportId": "2", "branch": "x"},
	{"reportId": "3", "branch": "main", "hasNonRemoteCommits": true},
	{"reportId": "4", "branch": "main"},
]

test_newest if reports.newest({}, all).index == 0

test_newest_of_a_branch if reports.newest({"branch": "x"}, all).report.reportId == "2"

test_no_newest[note] if {
	some note, c in {
		"no reports": {"repository": {}, "reports": []},
		"none of the branch": {"repository": {"branch": "y"}, "reports": all},
		"no list": {"repository": {}, "reports": "x"},
	}
	not reports.newest(c.repository, c.reports)
}

test_before_is_clean_and_of_the_same_branch if reports.before({"index": 0, "report": all[0]}, all).index == 3

test_nothing_before if not reports.before({"index": 3, "report": all[3]}, all)

test_ratio if reports.ratio({"numerator": 1, "denominator": 4}) == 0.25

test_no_ratio[note] if {
	some note, c in {
		"text": {"numerator": "1", "denominator": 4},
		"zero": {"numerator": 0, "denominator": 0},
		"too much": {"numerator": 5, "denominator": 4},
		"below zero": {"numerator": -1, "denominator": 4},
		"nothing": {},
	}
	not reports.ratio(c)
}
