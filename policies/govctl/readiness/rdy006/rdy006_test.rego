package govctl.readiness.rdy006_test

import data.govctl.lib.expect_test
import data.govctl.readiness.rdy006

test_findings[note] if {
	some note, c in cases
	expect_test.paths(rdy006.findings) == c.want with input as c.input
}

cases := {
	"fires: local changes": {"input": {"repository": {}, "reports": [{"hasLocalChanges": true, "hasNonRemoteCommits": true}]}, "want": {"/reports/0/hasLocalChanges", "/reports/0/hasNonRemoteCommits"}},
	"passes: clean": {"input": {"repository": {}, "reports": [{"hasLocalChanges": false, "hasNonRemoteCommits": false}, {"hasLocalChanges": true}]}, "want": set()},
	"missing: no flags": {"input": {"repository": {}, "reports": [{}]}, "want": set()},
	"wrong type: a text": {"input": {"repository": {}, "reports": [{"hasLocalChanges": "false"}]}, "want": {"/reports/0/hasLocalChanges"}},
}
