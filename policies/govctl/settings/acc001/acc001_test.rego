package govctl.settings.acc001_test

import data.govctl.lib.expect_test
import data.govctl.settings.acc001

test_findings[note] if {
	some note, c in cases
	expect_test.paths(acc001.findings) == c.want with input as c.input
}

cases := {
	"fires: open": {"input": {"settings": {"restrictApiKeyCreationToManagers": false}}, "want": {"/settings/restrictApiKeyCreationToManagers"}},
	"passes: restricted": {"input": {"settings": {"restrictApiKeyCreationToManagers": true}}, "want": set()},
	"missing: no switch": {"input": {"settings": {}}, "want": set()},
	"wrong type: a number": {"input": {"settings": {"restrictApiKeyCreationToManagers": 1}}, "want": {"/settings/restrictApiKeyCreationToManagers"}},
}
