package govctl.settings.mdl005_test

import data.govctl.lib.expect_test
import data.govctl.settings.mdl005

test_findings[note] if {
	some note, c in cases
	expect_test.paths(mdl005.findings) == c.want with input as c.input
}

cases := {
	"fires: both": {"input": {"settings": {"modelPolicy": {"allowAllServiceModels": true, "allowedModelIds": ["a"]}}}, "want": {"/settings/modelPolicy/allowAllServiceModels"}},
	"passes: only the list": {"input": {"settings": {"modelPolicy": {"allowAllServiceModels": false, "allowedModelIds": ["a"]}}}, "want": set()},
	"passes: only the switch": {"input": {"settings": {"modelPolicy": {"allowAllServiceModels": true, "allowedModelIds": []}}}, "want": set()},
	"missing: no list": {"input": {"settings": {"modelPolicy": {"allowAllServiceModels": true}}}, "want": set()},
	"wrong type: texts": {"input": {"settings": {"modelPolicy": {"allowAllServiceModels": "false", "allowedModelIds": "a"}}}, "want": {"/settings/modelPolicy/allowAllServiceModels"}},
}
