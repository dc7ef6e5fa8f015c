package govctl.plan.pln008_test

import data.govctl.lib.expect_test
import data.govctl.plan.pln008

test_findings[note] if {
	some note, c in cases
	expect_test.paths(pln008.findings) == c.want with input as c.input
}

cases := {
	"fires: a limit": {"input": {"plan": {"notes": [{"code": "unlisted", "items": []}, {"code": "forgotten", "items": [{"key": "ada@x"}]}]}}, "want": {"/plan/notes/1"}},
	"passes: other notes": {"input": {"plan": {"notes": [{"code": "unlisted", "items": []}]}}, "want": set()},
	"missing: no notes": {"input": {"plan": {}}, "want": set()},
	"wrong type: a text": {"input": {"plan": {"notes": "forgotten"}}, "want": {"/plan/notes"}},
}
