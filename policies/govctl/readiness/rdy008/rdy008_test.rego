package govctl.readiness.rdy008_test

import data.govctl.lib.expect_test
import data.govctl.readiness.rdy008

test_findings[note] if {
	some note, c in cases
	expect_test.paths(rdy008.findings) == c.want with input as c.input with data.params as expect_test.params(object.get(c, "params", {}))
}

cases := {
	"fires: low effort": {"input": {"repository": {}, "reports": [{"modelUsed": {"id": "a", "reasoningEffort": "low"}}]}, "want": {"/reports/0/modelUsed"}},
	"fires: another model": {"input": {"repository": {}, "reports": [{"modelUsed": {"id": "a", "reasoningEffort": "high"}}, {"modelUsed": {"id": "b", "reasoningEffort": "high"}}]}, "want": {"/reports/0/modelUsed"}},
	"fires: not permitted": {"input": {"repository": {}, "reports": [{"modelUsed": {"id": "a", "reasoningEffort": "high"}}]}, "want": {"/reports/0/modelUsed"}, "params": {"readiness_models": ["b"]}},
	"passes: the same": {"input": {"repository": {}, "reports": [{"modelUsed": {"id": "a", "reasoningEffort": "high"}}, {"modelUsed": {"id": "a", "reasoningEffort": "high"}}]}, "want": set(), "params": {"readiness_models": ["a"]}},
	"missing: no reports": {"input": {"repository": {}, "reports": []}, "want": set()},
	"missing: no model": {"input": {"repository": {}, "reports": [{}]}, "want": {"/reports/0/modelUsed"}},
	"wrong type: a text": {"input": {"repository": {}, "reports": [{"modelUsed": "a"}]}, "want": {"/reports/0/modelUsed"}},
}
