package govctl.computers.cmp002_test

import data.govctl.computers.cmp002
import data.govctl.lib.expect_test

test_findings[note] if {
	some note, c in cases
	expect_test.paths(cmp002.findings) == c.want with input as c.input
}

cases := {
	"fires: root": {"input": {"computers": [{"name": "a", "remoteUser": "ci"}, {"name": "b", "remoteUser": "Root"}]}, "want": {"/computers/1/remoteUser"}},
	"passes: another": {"input": {"computers": [{"name": "a", "remoteUser": "ci"}]}, "want": set()},
	"missing: no user": {"input": {"computers": [{"name": "a"}]}, "want": set()},
	"wrong type: a number": {"input": {"computers": [{"name": "a", "remoteUser": 0}]}, "want": {"/computers/0/remoteUser"}},
	"wrong type: no list": {"input": {"computers": null}, "want": {"/computers"}},
}
