package govctl.settings.cmd004_test

import data.govctl.lib.expect_test
import data.govctl.settings.cmd004

test_findings[note] if {
	some note, c in cases
	expect_test.paths(cmd004.findings) == c.want with input as c.input
}

cases := {
	"fires: a wildcard": {"input": {"settings": {"commandAllowlist": ["make", "*", ".*", "^.*$"]}}, "want": {"/settings/commandAllowlist/1", "/settings/commandAllowlist/2", "/settings/commandAllowlist/3"}},
	"fires: an interpreter": {"input": {"settings": {"commandAllowlist": ["python3.12 -c *", "node -e x", "bash -lc *", "perl *"]}}, "want": {"/settings/commandAllowlist/0", "/settings/commandAllowlist/1", "/settings/commandAllowlist/2", "/settings/commandAllowlist/3"}},
	"passes: a script": {"input": {"settings": {"commandAllowlist": ["python3 tools/check.py", "npm run *", "go vet -c"]}}, "want": set()},
	"passes: no switch": {"input": {"settings": {"commandAllowlist": ["make", "python3 tools/check.py"]}}, "want": set()},
	"passes: the switch of another program": {"input": {"settings": {"commandAllowlist": ["make -c", "tar -e"]}}, "want": set()},
	"fires: a switch without a wildcard": {"input": {"settings": {"commandAllowlist": ["make", "python3 -c x", "node\t-e"]}}, "want": {"/settings/commandAllowlist/1", "/settings/commandAllowlist/2"}},
	"missing: no list": {"input": {"settings": {}}, "want": set()},
	"wrong type: true": {"input": {"settings": {"commandAllowlist": true}}, "want": {"/settings/commandAllowlist"}},
	"wrong type: a number inside": {"input": {"settings": {"commandAllowlist": [7]}}, "want": {"/settings/commandAllowlist/0"}},
}
