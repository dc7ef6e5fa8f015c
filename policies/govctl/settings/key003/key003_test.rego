package govctl.settings.key003_test

import data.govctl.lib.expect_test
import data.govctl.settings.key003

test_findings[note] if {
	some note, c in cases
	expect_test.paths(key003.findings) == c.want with input as c.input
}

cases := {
	"fires: hidden argument": {"input": {"settings": {"customModels": [{"id": "m", "extraArgs": {"auth": {"api_key": {"redacted": true, "kind": "literal"}}}}]}}, "want": {"/settings/customModels/0/extraArgs/auth/api_key"}},
	"fires: plain arguments": {"input": {"settings": {"customModels": [{"extraArgs": {"token": "made-up", "x": ["sk-0123456789abc"]}}]}}, "want": {"/settings/customModels/0/extraArgs/token", "/settings/customModels/0/extraArgs/x/0"}},
	"fires: URLs": {"input": {"settings": {"customModels": [{"baseUrl": "https://redacted@a.example/v1", "bedrock": {"bedrockBaseUrl": "https://a.example/?sig=redacted"}}, {"baseUrl": "https://a.example/?access_token=x"}]}}, "want": {"/settings/customModels/0/baseUrl", "/settings/customModels/0/bedrock/bedrockBaseUrl", "/settings/customModels/1/baseUrl"}},
	"passes: plain values": {"input": {"settings": {"customModels": [{"baseUrl": "https://a.example/@v1?mode=x", "extraArgs": {"temperature": 0.2, "stop": "end of text", "token": {"redacted": true, "kind": "env_ref"}, "secret": "${X}"}}]}}, "want": set()},
	"missing: no arguments": {"input": {"settings": {"customModels": [{"id": "m"}]}}, "want": set()},
	"missing: no models": {"input": {"settings": {}}, "want": set()},
	"wrong type: a text": {"input": {"settings": {"customModels": [{"extraArgs": "x", "baseUrl": 7}]}}, "want": {"/settings/customModels/0/extraArgs"}},
	"wrong type: no list": {"input": {"settings": {"customModels": null}}, "want": {"/settings/customModels"}},
	"wrong type: a text inside": {"input": {"settings": {"customModels": ["x"]}}, "want": {"/settings/customModels/0"}},
}
