package govctl.usage.use008_test

import data.govctl.lib.expect_test
import data.govctl.usage.use008

test_findings[note] if {
	some note, c in cases
	expect_test.paths(use008.findings) == c.want with input as c.input
}

cases := {
	"fires: two spellings": {"input": {"tools": [{"mcp_by_server": [{"server": "docs"}, {"server": "Tracker"}]}, {"mcp_by_server": [{"server": "tracker"}]}]}, "want": {"/tools/0/mcp_by_server/1/server"}},
	"passes: one spelling": {"input": {"tools": [{"mcp_by_server": [{"server": "docs"}]}, {"mcp_by_server": [{"server": "docs"}]}]}, "want": set()},
	"missing: no rows": {"input": {}, "want": set()},
	"wrong type: a text": {"input": {"tools": "docs"}, "want": {"/tools"}},
	"wrong type: numbers name no server": {"input": {"tools": [{"mcp_by_server": [{"server": 1}, {"server": 2}]}]}, "want": set()},
}
