package govctl.settings.dat003_test

import data.govctl.lib.expect_test
import data.govctl.settings.dat003

test_findings[note] if {
	some note, c in cases
	expect_test.paths(dat003.findings) == c.want with input as c.input
}

cases := {
	"fires: off": {"input": {"settings": {"includeCoAuthoredByAgent": false}}, "want": {"/settings/includeCoAuthoredByAgent"}},
	"passes: on": {"input": {"settings": {"includeCoAuthoredByAgent": true}}, "want": set()},
	"missing: no switch": {"input": {"settings": {}}, "want": set()},
	"wrong type: an object": {"input": {"settings": {"includeCoAuthoredByAgent": {}}}, "want": {"/settings/includeCoAuthoredByAgent"}},
}
