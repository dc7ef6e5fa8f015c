package govctl.settings.acc005_test

import data.govctl.lib.expect_test
import data.govctl.settings.acc005

test_findings[note] if {
	some note, c in cases
	expect_test.paths(acc005.findings) == c.want with input as c.input
}

cases := {
	"fires: an empty list": {"input": {"settings": {"byomComputersEnabled": true, "byomComputersAllowedEmails": []}}, "want": {"/settings/byomComputersEnabled"}},
	"fires: no list": {"input": {"settings": {"byomComputersEnabled": true}}, "want": {"/settings/byomComputersEnabled"}},
	"passes: named people": {"input": {"settings": {"byomComputersEnabled": true, "byomComputersAllowedEmails": ["ada@acme.example"]}}, "want": set()},
	"passes: off": {"input": {"settings": {"byomComputersEnabled": false}}, "want": set()},
	"missing: no switch": {"input": {"settings": {"byomComputersAllowedEmails": []}}, "want": set()},
	"wrong type: texts": {"input": {"settings": {"byomComputersEnabled": "false", "byomComputersAllowedEmails": "ada@acme.example"}}, "want": {"/settings/byomComputersEnabled"}},
}
