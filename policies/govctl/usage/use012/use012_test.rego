package govctl.usage.use012_test

import data.govctl.lib.expect_test
import data.govctl.usage.use012

test_findings[note] if {
	some note, c in cases
	expect_test.paths(use012.findings) == c.want with input as c.input
}

cases := {
	"fires: headless": {"input": {"activity": [{"daily_active_users_by_client": {"web": 1}}, {"daily_active_users_by_client": {"non-interactive-cli": 2}}]}, "want": {"/activity/1/daily_active_users_by_client/non-interactive-cli"}},
	"passes: others": {"input": {"activity": [{"daily_active_users_by_client": {"web": 1, "non-interactive-cli": 0}}]}, "want": set()},
	"missing: no rows": {"input": {}, "want": set()},
	"wrong type: a text": {"input": {"activity": [{"daily_active_users_by_client": {"non-interactive-cli": "2"}}]}, "want": {"/activity/0/daily_active_users_by_client/non-interactive-cli"}},
	"wrong type: no list": {"input": {"activity": "x"}, "want": {"/activity"}},
}
