package govctl.readiness.rdy005_test

import data.govctl.lib.expect_test
import data.govctl.readiness.rdy005

test_findings[note] if {
	some note, c in cases
	expect_test.paths(rdy005.findings) == c.want with input as c.input
}

cases := {
	"fires: old": {"input": {"now": "2026-11-20T00:00:00Z", "repository": {"max_age_days": 30}, "reports": [{"createdAt": 1782000000000}]}, "want": {"/reports/0/createdAt"}},
	"fires: from the future": {"input": {"now": "2026-11-20T00:00:00Z", "repository": {}, "reports": [{"createdAt": 1795824000000}]}, "want": {"/reports/0/createdAt"}},
	"fires: no time": {"input": {"now": "2026-11-20T00:00:00Z", "repository": {}, "reports": [{}]}, "want": {"/reports/0/createdAt"}},
	"passes: recent": {"input": {"now": "2026-11-20T00:00:00Z", "repository": {}, "reports": [{"createdAt": 1795046400000}]}, "want": set()},
	"missing: no reports": {"input": {"now": "2026-11-20T00:00:00Z", "repository": {}, "reports": []}, "want": set()},
	"wrong type: a text": {"input": {"now": "2026-11-20T00:00:00Z", "repository": {}, "reports": [{"createdAt": "2026-11-19"}]}, "want": {"/reports/0/createdAt"}},
}
