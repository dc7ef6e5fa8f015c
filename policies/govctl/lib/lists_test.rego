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

test_only_texts[note] if {
	some note, c in {
		"texts": {"value": ["b", "a"], "want": true},
		"none": {"value": [], "want": false},
		"null first": {"value": [null, "a"], "want": false},
		"number": {"value": ["a", 1], "want": false},
		"list": {"value": ["a", []], "want": false},
		"object": {"value": {"a": "b"}, "want": false},
		"text": {"value": "a", "want": false},
	}
	is_only_texts(c.value) == c.want
}

is_only_texts(value) if lists.only_texts(value)

is_only_texts(value) := false if not lists.only_texts(value)

test_all_folded[note] if {
	some note, value in {
		"folded": ["a b", "c"],
		"empty text": ["", "a"],
		"capitals": ["A", "b"],
		"spaces": ["a  b", "c"],
		"space before": ["a", " b"],
		"space behind": ["a ", "b"],
		"tab": ["a\tb"],
		"other spaces": ["\u00a0a", "a\u2003"],
		"zeros": ["a\u0000 b", "a\u0000b"],
		"other letters": ["É"],
	}
	lists.all_folded(value) == [lists.folded(text) | some text in value]
}

test_all_folded_of_others if lists.all_folded([1, "A"]) == ["a"]

test_common[note] if {
	some note, c in {
		"some": {"a": ["x", "y", "x"], "b": ["x", "z"], "want": {"x"}},
		"others than texts": {"a": [7, null], "b": [7], "want": {7}},
		"no list": {"a": "x", "b": ["x"], "want": set()},
	}
	lists.common(c.a, c.b) == c.want
}

test_mentioned if lists.mentioned(["Sudo make", 7, "curl x"], ["sudo", "wget", "curl"]) == {"sudo", "curl"}

test_mentioned_in_no_list if lists.mentioned("sudo", ["sudo"]) == set()

test_lacking if lists.lacking(["RM  -rf /", "x"], ["rm -rf /", "y", 7]) == {"y", 7}

test_globbed[note] if {
	some note, c in {
		"places": {"value": ["docker.sock", "x", 7, "agent.1"], "want": {0, 3}},
		"no list": {"value": "docker.sock", "want": set()},
	}
	lists.globbed(c.value, ["docker.sock", "agent.*"]) == c.want
}

test_repeats[note] if {
	some note, c in {
		"none": {"value": ["a", "b"], "want": set()},
		"in another form": {"value": ["A b", "c", " a  B"], "want": {[2, 0]}},
		"three": {"value": ["a", "a", "a"], "want": {[1, 0], [2, 1]}},
		"numbers": {"value": [7, "a", 7, "a"], "want": {[3, 1]}},
		"no list": {"value": null, "want": set()},
	}
	lists.repeats(c.value) == c.want
}
