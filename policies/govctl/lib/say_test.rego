package govctl.lib.say_test

import data.govctl.lib.say

test_value[note] if {
	some note, c in {
		"text": {"value": "a", "want": `"a"`},
		"long text": {"value": concat("", [sprintf("%010d", [i]) | some i in numbers.range(1, 9)]), "want": `"00000000010000000002000000000300000000040000000005000000000600000000070000000"…`},
		"number": {"value": 1.5, "want": "1.5"},
		"boolean": {"value": true, "want": "true"},
		"null": {"value": null, "want": "null"},
		"list": {"value": [1, 2], "want": "a list of 2"},
		"object": {"value": {"a": 1}, "want": "an object"},
		"set": {"value": {"a"}, "want": `["a"]`},
		"placeholder": {"value": {"redacted": true, "kind": "literal"}, "want": "a hidden value"},
	}
	say.value(c.value) == c.want
}

test_list if say.list({"b", "a"}) == `"a", "b"`

test_list_is_cut if endswith(say.list(numbers.range(10, 21)), `19, and 2 more`)

test_name if {
	say.name("a") == "a"
	say.name(7) == "7"
	say.name({"a": 1}) == "an object"
}
