package govctl.settings.mdl002_test

import data.govctl.lib.expect_test
import data.govctl.settings.mdl002

test_findings[note] if {
	some note, c in cases
	expect_test.paths(mdl002.findings) == c.want with input as c.input
}

cases := {
	"fires: another host": {"input": {"settings": {"customModels": [{"id": "m", "baseUrl": "https://models.acme.example.evil.example/v1"}], "modelPolicy": {"allowedBaseUrls": ["https://models.acme.example"]}}}, "want": {"/settings/customModels/0/baseUrl"}},
	"passes: below": {"input": {"settings": {"customModels": [{"baseUrl": "https://models.acme.example/v1/x"}, {"baseUrl": ""}], "modelPolicy": {"allowedBaseUrls": ["https://models.acme.example/v1"]}}}, "want": set()},
	"passes: nothing to compare with": {"input": {"settings": {"customModels": [{"baseUrl": "https://a.example"}], "modelPolicy": {"allowedBaseUrls": []}}}, "want": set()},
	"missing: no list": {"input": {"settings": {"customModels": [{"baseUrl": "https://a.example"}]}}, "want": set()},
	"missing: no models": {"input": {"settings": {"modelPolicy": {"allowedBaseUrls": ["https://a.example"]}}}, "want": set()},
	"wrong type: a number": {"input": {"settings": {"customModels": [{"baseUrl": 7}], "modelPolicy": {"allowedBaseUrls": ["https://a.example"]}}}, "want": {"/settings/customModels/0/baseUrl"}},
	"wrong type: no lists": {"input": {"settings": {"customModels": 7, "modelPolicy": {"allowedBaseUrls": "https://a.example"}}}, "want": {"/settings/customModels", "/settings/modelPolicy/allowedBaseUrls"}},
}
