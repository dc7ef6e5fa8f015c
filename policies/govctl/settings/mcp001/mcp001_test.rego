package govctl.settings.mcp001_test

import data.govctl.lib.expect_test
import data.govctl.settings.mcp001

test_findings[note] if {
	some note, c in cases
	expect_test.paths(mcp001.findings) == c.want with input as c.input
}

cases := {
	"fires: off": {"input": {"settings": {"mcpPolicy": {"enabled": false, "allowlist": ["a"]}}}, "want": {"/settings/mcpPolicy/enabled"}},
	"passes: on": {"input": {"settings": {"mcpPolicy": {"enabled": true, "allowlist": ["a"]}}}, "want": set()},
	"passes: no list": {"input": {"settings": {"mcpPolicy": {"enabled": false, "allowlist": []}}}, "want": set()},
	"missing: no switch": {"input": {"settings": {"mcpPolicy": {"allowlist": ["a"]}}}, "want": set()},
	"wrong type: texts": {"input": {"settings": {"mcpPolicy": {"enabled": "true", "allowlist": "a"}}}, "want": {"/settings/mcpPolicy/enabled"}},
}
