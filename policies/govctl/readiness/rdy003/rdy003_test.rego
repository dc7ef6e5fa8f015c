package govctl.readiness.rdy003_test

import data.govctl.lib.expect_test
import data.govctl.readiness.rdy003

test_findings[note] if {
	some note, c in cases
	expect_test.paths(rdy003.findings) == c.want with input as c.input
}

cases := {
	"fires: worse": {"input": {"repository": {}, "reports": [{"branch": "main", "report": {"a": {"numerator": 1, "denominator": 2}}}, {"branch": "x", "report": {}}, {"branch": "main", "hasLocalChanges": true, "report": {}}, {"branch": "main", "report": {"a": {"numerator": 2, "denominator": 2}}}]}, "want": {"/reports/0/report/a"}},
	"passes: better": {"input": {"repository": {}, "reports": [{"report": {"a": {"numerator": 2, "denominator": 2}, "b": {"numerator": 0, "denominator": 1}}}, {"report": {"a": {"numerator": 1, "denominator": 2}, "c": {"numerator": 1, "denominator": 1}}}]}, "want": set()},
	"missing: one report": {"input": {"repository": {}, "reports": [{"report": {"a": {"numerator": 1, "denominator": 2}}}]}, "want": set()},
	"wrong type: texts": {"input": {"repository": {}, "reports": [{"report": {"a": {"numerator": "2", "denominator": 2}}}, {"report": {"a": {"numerator": 1, "denominator": 2}}}]}, "want": {"/reports/0/report/a"}},
}
