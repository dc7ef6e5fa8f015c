package govctl.settings.mcp003_test

import data.govctl.lib.expect_test
import data.govctl.settings.mcp003

test_findings[note] if {
	some note, c in cases
	expect_test.paths(mcp003.findings) == c.want with input as c.input
}

cases := {
	"fires: another case": {"input": {"settings": {"mcpPolicy": {"allowlist": ["Docs", "x", "docs "]}}}, "want": {"/settings/mcpPolicy/allowlist/2"}},
	"passes: different": {"input": {"settings": {"mcpPolicy": {"allowlist": ["docs", "docs-2"]}}}, "want": set()},
	"missing: no list": {"input": {"settings": {"mcpPolicy": {}}}, "want": set()},
	"wrong type: a number between": {"input": {"settings": {"mcpPolicy": {"allowlist": ["Docs", 7, "docs"]}}}, "want": {"/settings/mcpPolicy/allowlist/1", "/settings/mcpPolicy/allowlist/2"}},
	"wrong type: an object": {"input": {"settings": {"mcpPolicy": {"allowlist": {"a": true}}}}, "want": {"/settings/mcpPolicy/allowlist"}},
	"wrong type: numbers inside": {"input": {"settings": {"mcpPolicy": {"allowlist": [7, 7]}}}, "want": {"/settings/mcpPolicy/allowlist/0", "/settings/mcpPolicy/allowlist/1"}},
}
