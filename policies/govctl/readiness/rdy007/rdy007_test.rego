package govctl.readiness.rdy007_test

import data.govctl.lib.expect_test
import data.govctl.readiness.rdy007

test_findings[note] if {
	some note, c in cases
	expect_test.paths(rdy007.findings) == c.want with input as c.input
}

cases := {
	"fires: no commit": {"input": {"repository": {}, "reports": [{"branch": "main"}]}, "want": {"/reports/0"}},
	"fires: a side branch": {"input": {"repository": {}, "reports": [{"branch": "x", "commitHash": "abc"}]}, "want": {"/reports/0/branch"}},
	"passes: the declared branch": {"input": {"repository": {"branch": "x"}, "reports": [{"branch": "x", "commitHash": "abc"}]}, "want": set()},
	"missing: no reports": {"input": {"repository": {}, "reports": []}, "want": set()},
	"wrong type: numbers": {"input": {"repository": {}, "reports": [{"branch": 7, "commitHash": 7}]}, "want": {"/reports/0", "/reports/0/branch"}},
}
