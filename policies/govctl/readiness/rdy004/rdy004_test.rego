package govctl.readiness.rdy004_test

import data.govctl.lib.expect_test
import data.govctl.readiness.rdy004

test_findings[note] if {
	some note, c in cases
	expect_test.paths(rdy004.findings) == c.want with input as c.input
}

cases := {
	"fires: gone": {"input": {"repository": {}, "reports": [{"report": {}}, {"report": {"a": {"numerator": 1, "denominator": 2}}}]}, "want": {"/reports/0/report"}},
	"fires: fewer applications": {"input": {"repository": {}, "reports": [{"report": {"a": {"numerator": 1, "denominator": 1}}}, {"report": {"a": {"numerator": 1, "denominator": 2}}}]}, "want": {"/reports/0/report/a"}},
	"passes: more": {"input": {"repository": {}, "reports": [{"report": {"a": {"numerator": 2, "denominator": 3}, "b": {}}}, {"report": {"a": {"numerator": 1, "denominator": 2}}}]}, "want": set()},
	"missing: one report": {"input": {"repository": {}, "reports": [{"report": {}}]}, "want": set()},
	"wrong type: no criteria": {"input": {"repository": {}, "reports": [{"report": "x"}, {"report": {"a": {"numerator": 1, "denominator": 2}}}]}, "want": {"/reports/0/report"}},
}
