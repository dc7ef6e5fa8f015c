package govctl.readiness.rdy002_test

import data.govctl.lib.expect_test
import data.govctl.readiness.rdy002

test_findings[note] if {
	some note, c in cases
	expect_test.paths(rdy002.findings) == c.want with input as c.input
}

cases := {
	"fires: below": {"input": {"repository": {"min_score": 0.8}, "reports": [{"report": {"a": {"numerator": 1, "denominator": 2}, "b": {"numerator": 3, "denominator": 3}}}]}, "want": {"/reports/0/report"}},
	"fires: no criteria": {"input": {"repository": {}, "reports": [{"report": {}}]}, "want": {"/reports/0/report"}},
	"passes: reached": {"input": {"repository": {"min_score": 0.75}, "reports": [{"report": {"a": {"numerator": 1, "denominator": 2}, "b": {"numerator": 3, "denominator": 3}}}]}, "want": set()},
	"missing: no reports": {"input": {"repository": {"min_score": 1}, "reports": []}, "want": set()},
	"wrong type: texts": {"input": {"repository": {"min_score": 0.5}, "reports": [{"report": {"a": {"numerator": "1", "denominator": "1"}}}]}, "want": {"/reports/0/report"}},
	"wrong type: a list": {"input": {"repository": {}, "reports": [{"report": ["a"]}]}, "want": {"/reports/0/report"}},
	"wrong type: the threshold": {"input": {"repository": {"min_score": "1"}, "reports": [{"report": {"a": {"numerator": 1, "denominator": 1}}}]}, "want": {"/reports/0/report"}},
}
