package govctl.lib.pointer_test

import data.govctl.lib.pointer

test_of[note] if {
	some note, c in {
		"root": {"segments": [], "want": ""},
		"names": {"segments": ["settings", "sandbox"], "want": "/settings/sandbox"},
		"index": {"segments": ["customModels", 0, "apiKey"], "want": "/customModels/0/apiKey"},
		"long": {"segments": [1, 2, 3, 4, 5, 6, 7], "want": "/1/2/3/4/5/6/7"},
		"only a slash": {"segments": ["a", "/"], "want": "/a/~1"},
		"only a tilde": {"segments": ["~"], "want": "/~0"},
		"slash and tilde": {"segments": ["a/b~c"], "want": "/a~1b~0c"},
	}
	pointer.of(c.segments) == c.want
}
