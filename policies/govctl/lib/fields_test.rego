package govctl.lib.fields_test

import data.govctl.lib.fields

test_of[note] if {
	some note, c in {
		"there": {"value": {"a": 1}, "path": "a", "want": 1},
		"null": {"value": {"a": null}, "path": "a", "want": null},
		"inside": {"value": {"a": {"b": 2}}, "path": ["a", "b"], "want": 2},
		"missing": {"value": {}, "path": "a", "want": "other"},
		"through a text": {"value": {"a": "x"}, "path": ["a", "b"], "want": "other"},
		"a list": {"value": ["x"], "path": "a", "want": "other"},
	}
	fields.of(c.value, c.path, "other") == c.want
}
