package govctl.settings.mdl007_test

import data.govctl.lib.expect_test
import data.govctl.settings.mdl007

test_findings[note] if {
	some note, c in cases
	expect_test.paths(mdl007.findings) == c.want with input as c.input
}

cases := {
	"fires: the same id": {"input": {"settings": {"customModels": [{"id": "m", "index": 0}, {"id": "m", "index": 1}]}}, "want": {"/settings/customModels/1/id"}},
	"fires: no room": {"input": {"settings": {"customModels": [{"id": "m", "maxOutputTokens": 0, "thinkingMaxTokens": 0, "enableThinking": true}]}}, "want": {"/settings/customModels/0/maxOutputTokens", "/settings/customModels/0/thinkingMaxTokens"}},
	"passes: different": {"input": {"settings": {"customModels": [{"id": "m", "index": 0, "maxContextLimit": 10, "thinkingMaxTokens": 0}, {"id": "n", "index": 1}]}}, "want": set()},
	"missing: no models": {"input": {"settings": {}}, "want": set()},
	"wrong type: a text": {"input": {"settings": {"customModels": [{"maxContextLimit": "10"}]}}, "want": {"/settings/customModels/0/maxContextLimit"}},
	"wrong type: no list": {"input": {"settings": {"customModels": "m"}}, "want": {"/settings/customModels"}},
	"wrong type: texts inside": {"input": {"settings": {"customModels": ["m", "m"]}}, "want": {"/settings/customModels/0", "/settings/customModels/1"}},
}
