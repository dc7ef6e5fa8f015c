package govctl.readiness.rdy001_test

import data.govctl.lib.expect_test
import data.govctl.readiness.rdy001

test_findings[note] if {
	some note, c in cases
	expect_test.paths(rdy001.findings) == c.want with input as c.input with data.params as expect_test.params(object.get(c, "params", {}))
}

cases := {
	"fires: below": {"input": {"repository": {"criteria": {"lint_config": 1}}, "reports": [{"report": {"lint_config": {"numerator": 1, "denominator": 2}}}]}, "want": {"/reports/0/report/lint_config"}},
	"fires: not in the report": {"input": {"repository": {"criteria": {"a/b": 0.5}}, "reports": [{"report": {}}]}, "want": {"/reports/0/report/a~1b"}},
	"fires: a threshold for all": {"input": {"repository": {}, "reports": [{"report": {"lint_config": {"numerator": 0, "denominator": 2}}}]}, "want": {"/reports/0/report/lint_config"}, "params": {"readiness_criteria": {"lint_config": 0.5}}},
	"passes: reached": {"input": {"repository": {"branch": "main", "criteria": {"lint_config": 0.5}}, "reports": [{"branch": "x", "report": {}}, {"branch": "main", "report": {"lint_config": {"numerator": 1, "denominator": 2}}}]}, "want": set()},
	"missing: no reports": {"input": {"repository": {"criteria": {"lint_config": 1}}, "reports": []}, "want": set()},
	"wrong type: a list": {"input": {"repository": {"criteria": ["lint_config"]}, "reports": [{"report": {}}]}, "want": {"/repository/criteria"}},
	"wrong type: texts": {"input": {"repository": {"criteria": {"lint_config": 0.5, "tests": "0.5"}}, "reports": [{"report": {"lint_config": {"numerator": "2", "denominator": 2}, "tests": {"numerator": 1, "denominator": 1}}}]}, "want": {"/reports/0/report/lint_config", "/reports/0/report/tests"}},
}
