package govctl.plan.pln011_test

import data.govctl.lib.expect_test
import data.govctl.plan.pln011

test_findings[note] if {
	some note, c in cases
	expect_test.paths(pln011.findings) == c.want with input as c.input
}

cases := {
	"fires: switched off": {"input": {"plan": {"changes": [{"kind": "computer", "action": "create", "key": "b", "provider": "byom"}]}, "settings": {"byomComputersEnabled": false}}, "want": {"/plan/changes/0"}},
	"fires: unknown": {"input": {"plan": {"changes": [{"kind": "computer", "action": "create", "key": "b", "provider": "other"}]}, "settings": {}}, "want": {"/plan/changes/0"}},
	"passes: switched on": {"input": {"plan": {"changes": [{"kind": "computer", "action": "create", "key": "b", "provider": "sandbox_vendor"}, {"kind": "computer", "action": "update", "key": "c", "provider": "byom"}]}, "settings": {"managedComputersEnabled": true, "byomComputersEnabled": false}}, "want": set()},
	"missing: no settings": {"input": {"plan": {"changes": [{"kind": "computer", "action": "create", "key": "b", "provider": "other"}]}}, "want": set()},
	"wrong type: a text": {"input": {"plan": {"changes": [{"kind": "computer", "action": "create", "key": "b", "provider": "byom"}]}, "settings": {"byomComputersEnabled": "true"}}, "want": {"/plan/changes/0"}},
}
