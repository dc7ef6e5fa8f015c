package govctl.settings.cmd003_test

import data.govctl.lib.expect_test
import data.govctl.settings.cmd003

test_findings[note] if {
	some note, c in cases
	expect_test.paths(cmd003.findings) == c.want with input as c.input
}

cases := {
	"fires: the same but for case": {"input": {"settings": {"commandAllowlist": ["make", "git  Push"], "commandDenylist": ["git push"]}}, "want": {"/settings/commandAllowlist/1"}},
	"passes: different": {"input": {"settings": {"commandAllowlist": ["git push"], "commandDenylist": ["git push --force"]}}, "want": set()},
	"missing: one list": {"input": {"settings": {"commandAllowlist": ["make"]}}, "want": set()},
	"wrong type: an object": {"input": {"settings": {"commandAllowlist": {}, "commandDenylist": []}}, "want": {"/settings/commandAllowlist"}},
	"wrong type: numbers inside": {"input": {"settings": {"commandAllowlist": [7], "commandDenylist": [7]}}, "want": {"/settings/commandAllowlist/0", "/settings/commandDenylist/0"}},
}
