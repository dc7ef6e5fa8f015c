package govctl.computers.cmp001_test

import data.govctl.computers.cmp001
import data.govctl.lib.expect_test

test_findings[note] if {
	some note, c in cases
	expect_test.paths(cmp001.findings) == c.want with input as c.input
}

cases := {
	"fires: error": {"input": {"computers": [{"name": "a", "status": "active"}, {"name": "b", "status": "error"}]}, "want": {"/computers/1/status"}},
	"fires: a failed step": {"input": {"computers": [{"name": "a", "status": "active", "provisioningSteps": [{"id": "clone", "error": ""}, {"id": "install-deps", "error": "exit 1"}, {"name": "start", "error": "exit 2"}]}]}, "want": {"/computers/0/provisioningSteps/1/error", "/computers/0/provisioningSteps/2/error"}},
	"passes: working": {"input": {"computers": [{"name": "a", "status": "active"}, {"name": "b", "status": "provisioning"}]}, "want": set()},
	"missing: no status": {"input": {"computers": [{"name": "a"}]}, "want": set()},
	"missing: no computers": {"input": {}, "want": set()},
	"wrong type: a number": {"input": {"computers": [{"name": 7, "status": 1}]}, "want": {"/computers/0/status"}},
	"wrong type: no list": {"input": {"computers": "a"}, "want": {"/computers"}},
}
