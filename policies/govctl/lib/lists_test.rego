package govctl.lib.lists_test

import data.govctl.lib.lists

test_texts if lists.texts(["a", 1, "b"]) == ["a", "b"]

test_texts_of_a_text if lists.texts("a") == []

test_folded if lists.folded("  Rm   -RF / ") == "rm -rf /"

test_problems[note] if {
	some note, c in {
		"list of texts": {"value": ["a"], "want": set()},
		"null": {"value": null, "want": {{"path": "/settings/a/b", "message": "a.b is null, not a list, so it cannot be judged"}}},
		"number inside": {"value": ["a", 1], "want": {{"path": "/settings/a/b/1", "message": "entry 1 of a.b is 1, not a text, so it cannot be judged"}}},
	}
	lists.problems(c.value, ["settings", "a", "b"]) == c.want
}
