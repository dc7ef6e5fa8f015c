package govctl.settings.mdl004_test

import data.govctl.lib.expect_test
import data.govctl.settings.mdl004

test_findings[note] if {
	some note, c in cases
	expect_test.paths(mdl004.findings) == c.want with input as c.input
}

cases := {
	"fires: in both": {"input": {"settings": {"modelPolicy": {"allowedModelIds": ["a", "b"], "blockedModelIds": ["c", "b"]}}}, "want": {"/settings/modelPolicy/blockedModelIds/1"}},
	"passes: in one": {"input": {"settings": {"modelPolicy": {"allowedModelIds": ["a"], "blockedModelIds": ["A"]}}}, "want": set()},
	"missing: one list": {"input": {"settings": {"modelPolicy": {"blockedModelIds": ["a"]}}}, "want": set()},
	"wrong type: a text": {"input": {"settings": {"modelPolicy": {"allowedModelIds": "a", "blockedModelIds": ["a"]}}}, "want": {"/settings/modelPolicy/allowedModelIds"}},
}
