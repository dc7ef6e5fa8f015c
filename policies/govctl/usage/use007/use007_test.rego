package govctl.usage.use007_test

import data.govctl.lib.expect_test
import data.govctl.usage.use007

test_findings[note] if {
	some note, c in cases
	expect_test.paths(use007.findings) == c.want with input as c.input
}

cases := {
	"fires: a name": {"input": {"tools": [{"mcp_by_server": [{"server": "Docs"}, {"server": "other"}, {"server": "OTHER"}]}], "settings": {"mcpPolicy": {"allowlist": ["docs"]}}}, "want": {"/tools/0/mcp_by_server/1/server"}},
	"fires: a URL": {"input": {"tools": [{"mcp_by_server": [{"server": "https://mcp.evil.example"}]}], "settings": {"mcpPolicy": {"allowlist": ["https://mcp.acme.example"]}}}, "want": {"/tools/0/mcp_by_server/0/server"}},
	"passes: allowed": {"input": {"tools": [{"mcp_by_server": [{"server": "https://MCP.acme.example/x"}, {"server": "mcp.acme.example"}, {"server": "DOCS"}]}], "settings": {"mcpPolicy": {"allowlist": ["https://mcp.acme.example", "docs"]}}}, "want": set()},
	"passes: a name among URLs": {"input": {"tools": [{"mcp_by_server": [{"server": "docs"}]}], "settings": {"mcpPolicy": {"allowlist": ["https://mcp.acme.example"]}}}, "want": set()},
	"passes: an empty list is MCP002's matter": {"input": {"tools": [{"mcp_by_server": [{"server": "docs"}]}], "settings": {"mcpPolicy": {"allowlist": []}}}, "want": set()},
	"missing: no list": {"input": {"tools": [{"mcp_by_server": [{"server": "docs"}]}], "settings": {}}, "want": set()},
	"wrong type: a text": {"input": {"tools": [{"mcp_by_server": [{"server": 7}]}], "settings": {"mcpPolicy": {"allowlist": "docs"}}}, "want": {"/settings/mcpPolicy/allowlist", "/tools/0/mcp_by_server/0/server"}},
	"wrong type: no rows": {"input": {"tools": "docs", "settings": {"mcpPolicy": {"allowlist": ["docs"]}}}, "want": {"/tools"}},
}
