package govctl.settings.key002_test

import data.govctl.lib.expect_test
import data.govctl.settings.key002

test_findings[note] if {
	some note, c in cases
	expect_test.paths(key002.findings) == c.want with input as c.input
}

cases := {
	"fires: an authorization header": {"input": {"settings": {"customModels": [{"id": "m", "extraHeaders": {"X-Team": {"redacted": true, "kind": "literal"}, "Authorization": {"redacted": true, "kind": "literal"}}}]}}, "want": {"/settings/customModels/0/extraHeaders/Authorization"}},
	"fires: a plain value": {"input": {"settings": {"customModels": [{"extraHeaders": {"x-api-key": "made-up"}}]}}, "want": {"/settings/customModels/0/extraHeaders/x-api-key"}},
	"passes: a reference": {"input": {"settings": {"customModels": [{"extraHeaders": {"Authorization": {"redacted": true, "kind": "env_ref"}, "Cookie": "", "X-Team": "ml"}}]}}, "want": set()},
	"missing: no headers": {"input": {"settings": {"customModels": [{"id": "m"}]}}, "want": set()},
	"missing: no models": {"input": {"settings": {}}, "want": set()},
	"wrong type: a text": {"input": {"settings": {"customModels": [{"extraHeaders": "Authorization: x"}]}}, "want": {"/settings/customModels/0/extraHeaders"}},
	"wrong type: a number": {"input": {"settings": {"customModels": [{"extraHeaders": {"token": 7}}]}}, "want": {"/settings/customModels/0/extraHeaders/token"}},
	"wrong type: no list": {"input": {"settings": {"customModels": "x"}}, "want": {"/settings/customModels"}},
}
