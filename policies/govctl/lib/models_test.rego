package govctl.lib.models_test

import data.govctl.lib.models

settings := {
	"modelPolicy": {"allowedModelIds": ["a"], "blockedModelIds": ["b"], "allowCustomModels": true},
	"customModels": [{"id": "custom:c", "model": "c"}],
}

test_refusal[note] if {
	some note, c in {
		"blocked": {"id": "b", "want": "blocked by blockedModelIds"},
		"unlisted": {"id": "d", "want": "not in allowedModelIds"},
	}
	models.refusal(settings, c.id) == c.want
}

test_no_refusal[note] if {
	some note, id in {"allowed": "a", "custom id": "custom:c", "custom name": "c", "none": ""}
	not models.refusal(settings, id)
}

test_nothing_is_refused_without_a_policy if not models.refusal({}, "a")

test_all_models if not models.refusal({"modelPolicy": {"allowedModelIds": ["a"], "allowAllServiceModels": true}}, "d")
