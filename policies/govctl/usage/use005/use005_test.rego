package govctl.usage.use005_test

import data.govctl.lib.expect_test
import data.govctl.usage.use005

test_findings[note] if {
	some note, c in cases
	expect_test.paths(use005.findings) == c.want with input as c.input
}

cases := {
	"fires: most": {"input": {"tokens": [{"by_model": [{"model_tier": "thinking", "billable_tokens": 6}, {"model_tier": "standard", "billable_tokens": 4}]}]}, "want": {"/tokens"}},
	"passes: half": {"input": {"tokens": [{"by_model": [{"model_tier": "thinking", "billable_tokens": 5}]}, {"by_model": [{"model_tier": "standard", "billable_tokens": 5}]}]}, "want": set()},
	"missing: no rows": {"input": {}, "want": set()},
	"wrong type: a text": {"input": {"tokens": "x"}, "want": {"/tokens"}},
	"wrong type: a text for credits": {"input": {"tokens": [{"by_model": [{"model_tier": "thinking", "billable_tokens": "6"}]}, {}]}, "want": {"/tokens/0/by_model/0/billable_tokens"}},
}
