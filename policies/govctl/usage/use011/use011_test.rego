package govctl.usage.use011_test

import data.govctl.lib.expect_test
import data.govctl.usage.use011

test_findings[note] if {
	some note, c in cases
	expect_test.paths(use011.findings) == c.want with input as c.input
}

cases := {
	"fires: a difference": {"input": {"tokens": [{"date": "2026-11-19", "billable_tokens": 10, "by_model": [{"billable_tokens": 9}], "by_user": [{"billable_tokens": 10}]}], "tools": []}, "want": {"/tokens/0/by_model"}},
	"fires: an odd name": {"input": {"tokens": [], "tools": [{"date": "2026-11-19", "by_tool": [{"tool": "Edit"}, {"tool": "<x>"}]}]}, "want": {"/tools/0/by_tool"}},
	"passes: sums": {"input": {"tokens": [{"date": "2026-11-19", "billable_tokens": 10, "by_model": [{"billable_tokens": 4}, {"billable_tokens": 6}]}], "tools": [{"date": "2026-11-19", "by_tool": [{"tool": "Edit"}]}]}, "want": set()},
	"missing: no rows": {"input": {}, "want": set()},
	"wrong type: texts": {"input": {"tokens": [{"date": "2026-11-19", "billable_tokens": "10", "by_model": [{"billable_tokens": "10"}]}], "tools": [{"date": "2026-11-19", "by_tool": [{"tool": 7}]}]}, "want": {"/tokens/0/by_model", "/tools/0/by_tool"}},
}
