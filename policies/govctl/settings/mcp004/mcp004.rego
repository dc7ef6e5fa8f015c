# METADATA
# title: "No MCP server runs with high autonomy"
# description: >-
#   With high autonomy the agent calls the tools of a server without asking anybody.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.mcp004

import data.govctl.lib.params
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "No MCP server runs with high autonomy"
# description: >-
#   Fires for a text anywhere in mcpAutonomyOverrides that is one of the parameter high_autonomy_levels,
#   without regard to case, spaces, - and _. The shape of the property is not stated, so another word
#   for the same passes.
# scope: document
# custom:
#   id: MCP004
#   severity: high
#   input: settings
#   default: true
#   remediation: Lower the autonomy of the server.
#   requires:
#     - /settings/mcpAutonomyOverrides
#   tags:
#     - mcp
#     - autonomy
#   since: "0.1"
findings contains {
	"path": pointer.of(array.concat(["settings", "mcpAutonomyOverrides"], at)),
	"message": sprintf("mcpAutonomyOverrides sets %v", [say.value(level)]),
} if {
	walk(input.settings.mcpAutonomyOverrides, [at, level])
	is_string(level)
	_folded(level) in _high
}

findings contains {
	"path": "/settings/mcpAutonomyOverrides",
	"message": sprintf(
		"mcpAutonomyOverrides is %v, not an object, so it cannot be judged",
		[say.value(overrides)],
	),
} if {
	overrides := input.settings.mcpAutonomyOverrides
	not is_object(overrides)
	not is_string(overrides)
}

_folded(level) := regex.replace(lower(level), `[-_\s]+`, "")

_high contains _folded(level) if some level in params.value("high_autonomy_levels")
