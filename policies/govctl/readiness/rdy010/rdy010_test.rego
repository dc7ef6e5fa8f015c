package govctl.readiness.rdy010_test

import data.govctl.lib.expect_test
import data.govctl.readiness.rdy010

test_findings[note] if {
	some note, c in cases
	expect_test.paths(rdy010.findings) == c.want with input as c.input
}

cases := {
	"fires: too much": {"input": {"repository": {}, "reports": [{"report": {"a": {"numerator": 3, "denominator": 2, "rationale": "x"}, "b": {"numerator": -1, "denominator": 2, "rationale": "x"}, "c": {"numerator": 0, "denominator": 0, "rationale": "x"}}}]}, "want": {"/reports/0/report/a", "/reports/0/report/b", "/reports/0/report/c"}},
	"fires: no rationale": {"input": {"repository": {}, "reports": [{"report": {"a": {"numerator": 1, "denominator": 2, "rationale": " "}}}]}, "want": {"/reports/0/report/a"}},
	"fires: two of one time": {"input": {"repository": {"branch": "main"}, "reports": [{"createdAt": 5, "branch": "main", "report": {}}, {"createdAt": 5, "branch": "main", "report": {}}]}, "want": {"/reports/0/createdAt"}},
	"passes: of one time on another branch": {"input": {"repository": {"branch": "main"}, "reports": [{"createdAt": 5, "branch": "main", "report": {}}, {"createdAt": 5, "branch": "dev", "report": {}}]}, "want": set()},
	"passes: well formed": {"input": {"repository": {}, "reports": [{"report": {"a": {"numerator": 1, "denominator": 2, "rationale": "x"}, "secret_scanning": {"numerator": 1, "denominator": 1, "rationale": {"redacted": true, "kind": "literal"}}}}]}, "want": set()},
	"missing: no reports": {"input": {"repository": {}, "reports": []}, "want": set()},
	"missing: no criteria": {"input": {"repository": {}, "reports": [{}]}, "want": {"/reports/0/report"}},
	"wrong type: texts": {"input": {"repository": {}, "reports": [{"report": {"a": "1 of 2", "b": {"numerator": "1", "denominator": 2, "rationale": "x"}}}]}, "want": {"/reports/0/report/a", "/reports/0/report/b"}},
	"wrong type: a list": {"input": {"repository": {}, "reports": [{"report": []}]}, "want": {"/reports/0/report"}},
}
