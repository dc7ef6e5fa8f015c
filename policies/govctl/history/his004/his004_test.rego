package govctl.history.his004_test

import data.govctl.history.his004
import data.govctl.lib.expect_test

test_findings[note] if {
	some note, c in cases
	expect_test.paths(his004.findings) == c.want with input as c.input
}

cases := {
	"fires: a gap": {"input": {"from": {"revision": 3, "updated_at": "2026-11-01T00:00:00Z"}, "to": {"revision": 7, "updated_at": "2026-11-02T00:00:00Z"}}, "want": {"/to/revision"}},
	"fires: backwards": {"input": {"from": {"revision": 3, "updated_at": "2026-11-02T00:00:00Z"}, "to": {"revision": 4, "updated_at": "2026-11-02T00:30:00+01:00"}}, "want": {"/to/updated_at"}},
	"passes: the next one": {"input": {"from": {"revision": 3, "updated_at": "2026-11-02T00:00:00Z"}, "to": {"revision": 4, "updated_at": "2026-11-02T00:00:00.000Z"}}, "want": set()},
	"missing: no revisions": {"input": {"from": {}, "to": {}}, "want": set()},
	"wrong type: texts": {"input": {"from": {"revision": "3", "updated_at": "2026-11-02T00:00:00Z"}, "to": {"revision": "4", "updated_at": "yesterday"}}, "want": {"/to/revision", "/to/updated_at"}},
}
