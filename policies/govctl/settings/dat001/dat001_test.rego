package govctl.settings.dat001_test

import data.govctl.lib.expect_test
import data.govctl.settings.dat001

test_findings[note] if {
	some note, c in cases
	expect_test.paths(dat001.findings) == c.want with input as c.input
}

cases := {
	"fires: zero": {"input": {"settings": {"sessionRetentionDays": 0}}, "want": {"/settings/sessionRetentionDays"}},
	"fires: too long": {"input": {"settings": {"sessionRetentionDays": 3650}}, "want": {"/settings/sessionRetentionDays"}},
	"passes: a quarter": {"input": {"settings": {"sessionRetentionDays": 90}}, "want": set()},
	"missing: no value": {"input": {"settings": {}}, "want": set()},
	"wrong type: a text": {"input": {"settings": {"sessionRetentionDays": "90"}}, "want": {"/settings/sessionRetentionDays"}},
	"wrong type: a fraction": {"input": {"settings": {"sessionRetentionDays": 30.5}}, "want": {"/settings/sessionRetentionDays"}},
}
