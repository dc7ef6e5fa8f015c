package govctl.lib.hook_file_test

import data.govctl.lib.hook_file

test_items if hook_file.items({"Stop": [{"hooks": [{"command": "x"}, "y"]}, "z"]}) == {{
	"event": "Stop",
	"path": "/hooks/Stop/0/hooks/0",
	"item": {"command": "x"},
}}

test_items_of_a_list if hook_file.items([]) == set()

test_problems[note] if {
	some note, c in {
		"fine": {"file": {"Stop": [{"hooks": [{}]}]}, "want": set()},
		"file": {"file": [], "want": {"/hooks"}},
		"event": {"file": {"Stop": {}, "other": 7}, "want": {"/hooks/Stop"}},
		"group": {"file": {"Stop": ["x"]}, "want": {"/hooks/Stop/0"}},
		"hooks": {"file": {"Stop": [{}]}, "want": {"/hooks/Stop/0/hooks"}},
		"hook": {"file": {"Stop": [{"hooks": [7]}]}, "want": {"/hooks/Stop/0/hooks/0"}},
	}
	{p.path | some p in hook_file.problems(c.file)} == c.want
}
