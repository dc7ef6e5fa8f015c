package govctl.plan.pln014_test

import data.govctl.lib.expect_test
import data.govctl.plan.pln014

test_findings[note] if {
	some note, c in cases
	expect_test.paths(pln014.findings) == c.want with input as c.input
}

cases := {
	"fires: blocked": {"input": {"plan": {"changes": [{"kind": "session", "key": "s", "fields": [{"name": "model", "before": "a", "after": "b"}]}]}, "settings": {"modelPolicy": {"blockedModelIds": ["b"]}}}, "want": {"/plan/changes/0/fields/0/after"}},
	"passes: allowed": {"input": {"plan": {"changes": [{"kind": "session", "key": "s", "fields": [{"name": "model", "before": "b", "after": "a"}]}]}, "settings": {"modelPolicy": {"allowedModelIds": ["a"]}}}, "want": set()},
	"missing: no policy": {"input": {"plan": {"changes": [{"kind": "session", "key": "s", "fields": [{"name": "model", "after": "b"}]}]}, "settings": {}}, "want": set()},
	"wrong type: a number": {"input": {"plan": {"changes": [{"kind": "session", "key": "s", "fields": [{"name": "model", "after": 7}]}]}, "settings": {"modelPolicy": {}}}, "want": {"/plan/changes/0/fields/0/after"}},
}
