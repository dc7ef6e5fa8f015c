package govctl.history.his005_test

import data.govctl.history.his005
import data.govctl.lib.expect_test

test_findings[note] if {
	some note, c in cases
	expect_test.paths(his005.findings) == c.want with input as c.input
}

cases := {
	"fires: a Sunday night": {"input": {"from": {"updated_at": "2026-11-01T00:00:00Z"}, "to": {"revision": 2, "updated_at": "2026-11-15T02:00:00Z"}}, "want": {"/to/updated_at"}},
	"fires: too soon": {"input": {"from": {"updated_at": "2026-11-16T09:58:00Z"}, "to": {"revision": 2, "updated_at": "2026-11-16T10:00:00Z"}}, "want": {"/to/updated_at"}},
	"passes: a Monday morning": {"input": {"from": {"updated_at": "2026-11-13T00:00:00Z"}, "to": {"revision": 2, "updated_at": "2026-11-16T10:00:00Z"}}, "want": set()},
	"fires: at night after a time nobody can read": {"input": {"from": {"updated_at": ""}, "to": {"revision": 2, "updated_at": "2026-11-16T03:00:00Z"}}, "want": {"/to/updated_at"}},
	"missing: no times": {"input": {"from": {}, "to": {}}, "want": set()},
	"wrong type: a number": {"input": {"from": {"updated_at": "2026-11-13T00:00:00Z"}, "to": {"revision": 2, "updated_at": 20261116}}, "want": {"/to/updated_at"}},
}
