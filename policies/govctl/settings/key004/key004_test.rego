package govctl.settings.key004_test

import data.govctl.lib.expect_test
import data.govctl.settings.key004

test_findings[note] if {
	some note, c in cases
	expect_test.paths(key004.findings) == c.want with input as c.input
}

cases := {
	"fires: a command": {"input": {"settings": {"customModels": [{"id": "m", "bedrock": {"awsAuthRefresh": {"redacted": true, "kind": "literal"}, "awsCredentialExport": "x"}}]}}, "want": {"/settings/customModels/0/bedrock/awsAuthRefresh", "/settings/customModels/0/bedrock/awsCredentialExport"}},
	"passes: a profile": {"input": {"settings": {"customModels": [{"bedrock": {"awsProfile": "p", "awsAuthRefresh": "", "awsCredentialExport": null}}, {"bedrock": null}]}}, "want": set()},
	"missing: no bedrock": {"input": {"settings": {"customModels": [{"id": "m"}]}}, "want": set()},
	"missing: no models": {"input": {"settings": {}}, "want": set()},
	"wrong type: a list": {"input": {"settings": {"customModels": [{"bedrock": {"awsAuthRefresh": ["x"]}}]}}, "want": {"/settings/customModels/0/bedrock/awsAuthRefresh"}},
	"wrong type: a text": {"input": {"settings": {"customModels": [{"bedrock": "x"}]}}, "want": {"/settings/customModels/0/bedrock"}},
	"wrong type: no list": {"input": {"settings": {"customModels": 1}}, "want": {"/settings/customModels"}},
}
