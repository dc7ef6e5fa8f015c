package govctl.usage.use004_test

import data.govctl.lib.expect_test
import data.govctl.usage.use004

test_findings[note] if {
	some note, c in cases
	expect_test.paths(use004.findings) == c.want with input as c.input
}

cases := {
	"fires: blocked": {"input": {"users": [{"primary_model": "a"}, {"primary_model": "b"}], "tokens": [{"by_model": [{"model_id": "c"}, {"model_id": "b"}]}], "settings": {"modelPolicy": {"blockedModelIds": ["b"]}}}, "want": {"/tokens/0/by_model/1/model_id"}},
	"fires: not allowed": {"input": {"users": [{"primary_model": "a"}, {"primary_model": "b"}], "settings": {"modelPolicy": {"allowedModelIds": ["a"]}}}, "want": {"/users/1/primary_model"}},
	"passes: allowed": {"input": {"users": [{"primary_model": "a"}, {"primary_model": ""}], "settings": {"modelPolicy": {"allowedModelIds": ["a"]}}}, "want": set()},
	"missing: no policy": {"input": {"users": [{"primary_model": "a"}], "settings": {}}, "want": set()},
	"wrong type: numbers": {"input": {"users": [{"primary_model": 7}], "tokens": [{"by_model": "x"}], "settings": {"modelPolicy": {"allowedModelIds": ["a"]}}}, "want": {"/users/0/primary_model"}},
}
