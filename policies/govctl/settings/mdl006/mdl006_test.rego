package govctl.settings.mdl006_test

import data.govctl.lib.expect_test
import data.govctl.settings.mdl006

test_findings[note] if {
	some note, c in cases
	expect_test.paths(mdl006.findings) == c.want with input as c.input
}

cases := {
	"fires: blocked": {"input": {"settings": {"sessionDefaultSettings": {"model": "a", "specModeModel": "b"}, "modelPolicy": {"blockedModelIds": ["b"]}}}, "want": {"/settings/sessionDefaultSettings/specModeModel"}},
	"fires: not allowed": {"input": {"settings": {"sessionDefaultSettings": {"model": "c"}, "modelPolicy": {"allowedModelIds": ["a"]}}}, "want": {"/settings/sessionDefaultSettings/model"}},
	"passes: allowed": {"input": {"settings": {"sessionDefaultSettings": {"model": "a", "specModeModel": ""}, "modelPolicy": {"allowedModelIds": ["a"], "blockedModelIds": ["b"]}}}, "want": set()},
	"missing: no policy": {"input": {"settings": {"sessionDefaultSettings": {"model": "a"}}}, "want": set()},
	"missing: no defaults": {"input": {"settings": {"modelPolicy": {"allowedModelIds": ["a"]}}}, "want": set()},
	"wrong type: null": {"input": {"settings": {"sessionDefaultSettings": {"model": null}, "modelPolicy": {}}}, "want": {"/settings/sessionDefaultSettings/model"}},
}
