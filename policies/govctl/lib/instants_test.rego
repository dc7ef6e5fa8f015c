package govctl.lib.instants_test

import data.govctl.lib.instants

test_nanos if instants.nanos("1970-01-01T00:00:00Z") == 0

test_nanos_of_an_offset if {
	instants.nanos("2026-11-20T01:00:00+01:00") == instants.nanos("2026-11-20T00:00:00.000Z")
}

test_no_time[note] if {
	some note, text in {
		"day": "2026-11-20",
		"no such day": "2026-02-30T00:00:00Z",
		"no zone": "2026-11-20T00:00:00",
		"number": 7,
		"words": "yesterday",
	}
	not instants.nanos(text)
}

test_day if instants.day("2028-02-29") == instants.nanos("2028-02-29T00:00:00Z")

test_no_day[note] if {
	some note, text in {"no leap year": "2026-02-29", "month": "2026-13-01", "number": 20261120}
	not instants.day(text)
}

test_minutes if instants.minutes(2) == 120000000000

test_days if instants.days(1) == instants.day("2026-11-21") - instants.day("2026-11-20")
