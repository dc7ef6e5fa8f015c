package govctl.hooks.hok004_test

import data.govctl.hooks.hok004
import data.govctl.lib.expect_test

test_findings[note] if {
	some note, c in cases
	expect_test.paths(hok004.findings) == c.want with input as c.input with data.params as expect_test.params(object.get(c, "params", {}))
}

cases := {
	"fires: no hook": {"input": {"hooks": {"Stop": [{"hooks": [{"command": ""}]}]}}, "want": {"/hooks"}, "params": {"required_hook_events": ["Stop"]}},
	"passes: a hook": {"input": {"hooks": {"Stop": [{"hooks": [{"command": "x"}]}]}}, "want": set(), "params": {"required_hook_events": ["Stop"]}},
	"passes: none is required": {"input": {"hooks": {}}, "want": set()},
	"missing: no file": {"input": {}, "want": set(), "params": {"required_hook_events": ["Stop"]}},
	"wrong type: a text": {"input": {"hooks": {"Stop": "x"}}, "want": {"/hooks"}, "params": {"required_hook_events": ["Stop"]}},
}
