package govctl.lib.changes_test

import data.govctl.lib.changes

plan := {"plan": {"changes": [
	{"kind": "limit", "key": "a@acme.example"},
	{"kind": "computer", "key": "build-01"},
	"odd",
	{"kind": "session", "key": "ses_1"},
]}}

test_objects_keep_their_places if {
	got := changes.objects with input as plan
	got == {1: {"kind": "computer", "key": "build-01"}, 3: {"kind": "session", "key": "ses_1"}}
}

test_objects_of_the_overview if {
	got := changes.objects with input as {"plan": {"changes": []}, "overview": {"others": [{"at": 5, "change": {"kind": "session"}}]}}
	got == {5: {"kind": "session"}}
}

test_no_list_has_no_objects if changes.objects == {} with input as {"plan": {"changes": 7}}
