package govctl.readiness.rdy012_test

import data.govctl.lib.expect_test
import data.govctl.readiness.rdy012

test_findings[note] if {
	some note, c in cases
	expect_test.paths(rdy012.findings) == c.want with input as c.input
}

cases := {
	"fires: more": {"input": {"repository": {}, "reports": [{"apps": {".": {}}, "report": {"a": {"denominator": 2}}}]}, "want": {"/reports/0/report/a"}},
	"passes: as many": {"input": {"repository": {}, "reports": [{"apps": {".": {}}, "report": {"a": {"denominator": 1}}}]}, "want": set()},
	"passes: no apps": {"input": {"repository": {}, "reports": [{"apps": {}, "report": {"a": {"denominator": 1}}}]}, "want": set()},
	"missing: no apps": {"input": {"repository": {}, "reports": [{"report": {"a": {"denominator": 2}}}]}, "want": set()},
	"wrong type: a list": {"input": {"repository": {}, "reports": [{"apps": ["."], "report": {"a": {"denominator": 2}}}]}, "want": {"/reports/0/apps"}},
	"wrong type: a text": {"input": {"repository": {}, "reports": [{"apps": {".": {}}, "report": {"a": {"denominator": "1"}}}]}, "want": {"/reports/0/report/a"}},
}
