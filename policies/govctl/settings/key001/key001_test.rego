package govctl.settings.key001_test

import data.govctl.lib.expect_test
import data.govctl.settings.key001

test_findings[note] if {
	some note, c in cases
	expect_test.paths(key001.findings) == c.want with input as c.input
}

cases := {
	"fires: hidden key": {"input": {"settings": {"customModels": [{"id": "m", "apiKey": {"redacted": true, "kind": "literal"}}]}}, "want": {"/settings/customModels/0/apiKey"}},
	"fires: plain key": {"input": {"settings": {"customModels": [{"id": "m"}, {"model": "n", "apiKey": "made-up"}]}}, "want": {"/settings/customModels/1/apiKey"}},
	"passes: references": {"input": {"settings": {"customModels": [{"apiKey": {"redacted": true, "kind": "env_ref"}}, {"apiKey": "${KEY}"}, {"apiKey": "env:KEY"}, {"apiKey": ""}, {"apiKey": null}]}}, "want": set()},
	"missing: no models": {"input": {"settings": {}}, "want": set()},
	"missing: no key": {"input": {"settings": {"customModels": [{"id": "m"}]}}, "want": set()},
	"wrong type: a number": {"input": {"settings": {"customModels": [{"apiKey": 7}]}}, "want": {"/settings/customModels/0/apiKey"}},
	"wrong type: no list": {"input": {"settings": {"customModels": {"a": {"apiKey": "x"}}}}, "want": {"/settings/customModels", "/settings/customModels/a/apiKey"}},
	"wrong type: no object": {"input": {"settings": {"customModels": ["x"]}}, "want": {"/settings/customModels/0"}},
}
