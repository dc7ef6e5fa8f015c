package govctl.lib.custom_models_test

import data.govctl.lib.custom_models

test_label[note] if {
	some note, c in {
		"id": {"model": {"id": "i", "model": "m"}, "want": `"i"`},
		"model": {"model": {"id": 7, "model": "m"}, "want": `"m"`},
		"place": {"model": {}, "want": "number 3"},
	}
	custom_models.label(c.model, 3) == c.want
}

test_problems[note] if {
	some note, c in {
		"objects": {"models": [{}], "want": set()},
		"no list": {"models": "x", "want": {"/settings/customModels"}},
		"no object": {"models": [{}, "x"], "want": {"/settings/customModels/1"}},
	}
	{p.path | some p in custom_models.problems(c.models, ["settings", "customModels"])} == c.want
}
