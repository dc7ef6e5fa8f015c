package govctl.settings.mdl008_test

import data.govctl.lib.expect_test
import data.govctl.settings.mdl008

test_findings[note] if {
	some note, c in cases
	expect_test.paths(mdl008.findings) == c.want with input as c.input
}

cases := {
	"fires: an exception": {"input": {"settings": {"userModelPolicies": {"u1": {"allowedModelIds": ["a", "b"]}}, "modelPolicy": {"blockedModelIds": ["b"]}}}, "want": {"/settings/userModelPolicies/u1/allowedModelIds/1"}},
	"passes: blocked there too": {"input": {"settings": {"userModelPolicies": {"u1": {"allowedModelIds": ["a"], "blockedModelIds": ["b"]}}, "modelPolicy": {"blockedModelIds": ["b"]}}}, "want": set()},
	"missing: no exceptions": {"input": {"settings": {"modelPolicy": {"blockedModelIds": ["b"]}}}, "want": set()},
	"wrong type: a list of texts": {"input": {"settings": {"userModelPolicies": ["b"], "modelPolicy": {"blockedModelIds": ["b"]}}}, "want": {"/settings/userModelPolicies/0"}},
	"wrong type: a text": {"input": {"settings": {"userModelPolicies": {}, "modelPolicy": {"blockedModelIds": "b"}}}, "want": {"/settings/modelPolicy/blockedModelIds"}},
}
