package govctl.history.key005_test

import data.govctl.history.key005
import data.govctl.lib.expect_test

test_findings[note] if {
	some note, c in cases
	expect_test.paths(key005.findings) == c.want with input as c.input
}

cases := {
	"fires: the model is gone": {"input": {"from": {"settings": {"customModels": [{"id": "m", "apiKey": {"redacted": true, "kind": "literal"}}]}}, "to": {"settings": {}}}, "want": {"/from/settings/customModels/0/apiKey"}},
	"fires: a reference now": {"input": {"from": {"settings": {"customModels": [{"model": "m", "apiKey": {"redacted": true, "kind": "literal"}}]}}, "to": {"settings": {"customModels": [{"model": "m", "apiKey": {"redacted": true, "kind": "env_ref"}}]}}}, "want": {"/from/settings/customModels/0/apiKey"}},
	"passes: still there": {"input": {"from": {"settings": {"customModels": [{"id": "m", "apiKey": {"redacted": true, "kind": "literal"}}]}}, "to": {"settings": {"customModels": [{"id": "n"}, {"id": "m", "apiKey": {"redacted": true, "kind": "literal"}}]}}}, "want": set()},
	"passes: still there without an id": {"input": {"from": {"settings": {"customModels": [{"model": "m", "baseUrl": "https://a.example", "apiKey": "made-up"}]}}, "to": {"settings": {"customModels": [{"model": "m", "baseUrl": "https://a.example", "apiKey": "another"}]}}}, "want": set()},
	"passes: a reference before": {"input": {"from": {"settings": {"customModels": [{"id": "m", "apiKey": "${KEY}"}]}}, "to": {"settings": {}}}, "want": set()},
	"missing: no models": {"input": {"from": {"settings": {}}, "to": {"settings": {}}}, "want": set()},
	"wrong type: a text": {"input": {"from": {"settings": {"customModels": "m"}}, "to": {"settings": {}}}, "want": {"/from/settings/customModels"}},
	"wrong type: texts inside": {"input": {"from": {"settings": {"customModels": ["m", {"apiKey": "made-up"}]}}, "to": {"settings": {"customModels": ["m"]}}}, "want": {"/from/settings/customModels/0", "/from/settings/customModels/1/apiKey"}},
}
