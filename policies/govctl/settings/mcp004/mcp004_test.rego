package govctl.settings.mcp004_test

import data.govctl.lib.expect_test
import data.govctl.settings.mcp004

test_findings[note] if {
	some note, c in cases
	expect_test.paths(mcp004.findings) == c.want with input as c.input
}

cases := {
	"fires: a level": {"input": {"settings": {"mcpAutonomyOverrides": {"https://a.example": "auto-low", "b": {"level": "Auto_High"}}}}, "want": {"/settings/mcpAutonomyOverrides/b/level"}},
	"passes: low": {"input": {"settings": {"mcpAutonomyOverrides": {"https://a.example": "auto-low"}}}, "want": set()},
	"missing: no overrides": {"input": {"settings": {}}, "want": set()},
	"wrong type: a list": {"input": {"settings": {"mcpAutonomyOverrides": ["high"]}}, "want": {"/settings/mcpAutonomyOverrides", "/settings/mcpAutonomyOverrides/0"}},
	"wrong type: null": {"input": {"settings": {"mcpAutonomyOverrides": null}}, "want": {"/settings/mcpAutonomyOverrides"}},
}
