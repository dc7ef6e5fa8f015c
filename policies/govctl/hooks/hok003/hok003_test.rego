package govctl.hooks.hok003_test

import data.govctl.hooks.hok003
import data.govctl.lib.expect_test

test_findings[note] if {
	some note, c in cases
	expect_test.paths(hok003.findings) == c.want with input as c.input
}

cases := {
	"fires: zero": {"input": {"hooks": {"Stop": [{"hooks": [{"command": "x", "timeout": 0}, {"command": "x", "timeout": 99999999}]}]}}, "want": {"/hooks/Stop/0/hooks/0/timeout", "/hooks/Stop/0/hooks/1/timeout"}},
	"passes: a number": {"input": {"hooks": {"Stop": [{"hooks": [{"command": "x", "timeout": 30}]}]}}, "want": set()},
	"missing: no timeout": {"input": {"hooks": {"Stop": [{"hooks": [{"command": "x"}]}]}}, "want": set()},
	"wrong type: a text": {"input": {"hooks": {"Stop": [{"hooks": [{"command": "x", "timeout": "30s"}]}]}}, "want": {"/hooks/Stop/0/hooks/0/timeout"}},
}
