package govctl.settings.mcp002_test

import data.govctl.lib.expect_test
import data.govctl.settings.mcp002

test_findings[note] if {
	some note, c in cases
	expect_test.paths(mcp002.findings) == c.want with input as c.input with data.params as expect_test.params(object.get(c, "params", {}))
}

cases := {
	"fires: off": {"input": {"settings": {"mcpPolicy": {"enabled": false}}}, "want": {"/settings/mcpPolicy/enabled"}},
	"fires: an empty list": {"input": {"settings": {"mcpPolicy": {"enabled": true, "allowlist": []}}}, "want": {"/settings/mcpPolicy"}},
	"fires: no list": {"input": {"settings": {"mcpPolicy": {"enabled": true}}}, "want": {"/settings/mcpPolicy"}},
	"fires: a wildcard": {"input": {"settings": {"mcpPolicy": {"enabled": true, "allowlist": ["a", "https://*"]}}}, "want": {"/settings/mcpPolicy/allowlist/1"}},
	"passes: named servers": {"input": {"settings": {"mcpPolicy": {"enabled": true, "allowlist": ["https://mcp.acme.example"]}}}, "want": set()},
	"passes: read as closed": {"input": {"settings": {"mcpPolicy": {"enabled": false, "allowlist": []}}}, "want": set(), "params": {"mcp_disabled_is_open": false}},
	"passes: an empty list read as closed": {"input": {"settings": {"mcpPolicy": {"enabled": true, "allowlist": []}}}, "want": set(), "params": {"mcp_empty_is_open": false}},
	"missing: no switch": {"input": {"settings": {"mcpPolicy": {}}}, "want": set()},
	"wrong type: texts": {"input": {"settings": {"mcpPolicy": {"enabled": "true"}}}, "want": {"/settings/mcpPolicy/enabled"}},
	"wrong type: no list": {"input": {"settings": {"mcpPolicy": {"enabled": true, "allowlist": "a"}}}, "want": {"/settings/mcpPolicy"}},
	"wrong type: a number inside": {"input": {"settings": {"mcpPolicy": {"enabled": true, "allowlist": [7]}}}, "want": {"/settings/mcpPolicy"}},
}
