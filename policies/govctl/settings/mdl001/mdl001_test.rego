package govctl.settings.mdl001_test

import data.govctl.lib.expect_test
import data.govctl.settings.mdl001

test_findings[note] if {
	some note, c in cases
	expect_test.paths(mdl001.findings) == c.want with input as c.input
}

cases := {
	"fires: plain http": {"input": {"settings": {"customModels": [{"id": "m", "baseUrl": "http://models.example/v1", "bedrock": {"bedrockBaseUrl": "ftp://x.example"}}]}}, "want": {"/settings/customModels/0/baseUrl", "/settings/customModels/0/bedrock/bedrockBaseUrl"}},
	"fires: no URL": {"input": {"settings": {"customModels": [{"baseUrl": "models.example"}]}}, "want": {"/settings/customModels/0/baseUrl"}},
	"passes: https and the own machine": {"input": {"settings": {"customModels": [{"baseUrl": "HTTPS://models.example"}, {"baseUrl": "http://127.0.0.1:11434/v1"}, {"baseUrl": ""}]}}, "want": set()},
	"missing: no URL": {"input": {"settings": {"customModels": [{}]}}, "want": set()},
	"missing: no models": {"input": {"settings": {}}, "want": set()},
	"wrong type: a number": {"input": {"settings": {"customModels": [{"baseUrl": 7}]}}, "want": {"/settings/customModels/0/baseUrl"}},
	"wrong type: no list": {"input": {"settings": {"customModels": "http://x"}}, "want": {"/settings/customModels"}},
	"wrong type: a text inside": {"input": {"settings": {"customModels": ["http://x"]}}, "want": {"/settings/customModels/0"}},
}
