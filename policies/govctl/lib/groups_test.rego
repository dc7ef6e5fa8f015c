package govctl.lib.groups_test

import data.govctl.lib.groups

test_values_stand_under_their_key if {
	groups.of([["a", 1], ["b", 2], ["a", 3], [null, {"x": 1}], [null, {"x": 2}]]) == {
		"a": [1, 3],
		"b": [2],
		null: [{"x": 1}, {"x": 2}],
	}
}

test_equal_values_are_kept if groups.of([["a", 1], ["a", 1]]) == {"a": [1, 1]}

test_no_pairs_have_no_groups if groups.of([]) == {}
