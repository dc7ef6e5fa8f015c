package govctl.readiness.rdy009_test

import data.govctl.lib.expect_test
import data.govctl.readiness.rdy009

test_findings[note] if {
	some note, c in cases
	expect_test.paths(rdy009.findings) == c.want with input as c.input with data.params as expect_test.params(object.get(c, "params", {}))
}

cases := {
	"fires: old": {"input": {"repository": {}, "reports": [{"agentVersion": "0.9.1"}]}, "want": {"/reports/0/agentVersion"}, "params": {"readiness_min_agent_version": "0.10.0"}},
	"fires: no version": {"input": {"repository": {}, "reports": [{"agentVersion": "latest"}]}, "want": {"/reports/0/agentVersion"}},
	"passes: current": {"input": {"repository": {}, "reports": [{"agentVersion": "v0.10.0"}]}, "want": set(), "params": {"readiness_min_agent_version": "0.9.1"}},
	"missing: no reports": {"input": {"repository": {}, "reports": []}, "want": set()},
	"missing: no version": {"input": {"repository": {}, "reports": [{}]}, "want": {"/reports/0/agentVersion"}},
	"wrong type: a number": {"input": {"repository": {}, "reports": [{"agentVersion": 1}]}, "want": {"/reports/0/agentVersion"}},
}
