package govctl.settings.mdl003_test

import data.govctl.lib.expect_test
import data.govctl.settings.mdl003

test_findings[note] if {
	some note, c in cases
	expect_test.paths(mdl003.findings) == c.want with input as c.input
}

cases := {
	"fires: an empty list": {"input": {"settings": {"modelPolicy": {"allowCustomModels": true, "allowedBaseUrls": []}}}, "want": {"/settings/modelPolicy/allowCustomModels"}},
	"fires: no list": {"input": {"settings": {"modelPolicy": {"allowCustomModels": true}}}, "want": {"/settings/modelPolicy/allowCustomModels"}},
	"passes: a list": {"input": {"settings": {"modelPolicy": {"allowCustomModels": true, "allowedBaseUrls": ["https://models.acme.example"]}}}, "want": set()},
	"passes: no custom models": {"input": {"settings": {"modelPolicy": {"allowCustomModels": false}}}, "want": set()},
	"missing: no switch": {"input": {"settings": {"modelPolicy": {"allowedBaseUrls": []}}}, "want": set()},
	"wrong type: null": {"input": {"settings": {"modelPolicy": {"allowCustomModels": null, "allowedBaseUrls": null}}}, "want": {"/settings/modelPolicy/allowCustomModels"}},
	"wrong type: a text": {"input": {"settings": {"modelPolicy": {"allowCustomModels": true, "allowedBaseUrls": "https://a.example"}}}, "want": {"/settings/modelPolicy/allowCustomModels"}},
}
