# METADATA
# title: "The list of allowed MCP servers is in force"
# description: A list that the policy does not apply looks like a limit and may be none.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.mcp001

import data.govctl.lib.say

# METADATA
# title: "The list of allowed MCP servers is in force"
# description: >-
#   Fires when mcpPolicy.enabled is anything but true while its allowlist is not empty.
# scope: document
# custom:
#   id: MCP001
#   severity: medium
#   input: settings
#   default: true
#   remediation: >-
#     Set mcpPolicy.enabled to true, or empty the list.
#   requires:
#     - /settings/mcpPolicy/enabled
#     - /settings/mcpPolicy/allowlist
#   tags:
#     - mcp
#   since: "0.1"
findings contains {
	"path": "/settings/mcpPolicy/enabled",
	"message": sprintf(
		"mcpPolicy.enabled is %v, so its allowlist with %v may limit nothing",
		[say.value(enabled), say.value(allowlist)],
	),
} if {
	enabled := input.settings.mcpPolicy.enabled
	enabled != true
	allowlist := input.settings.mcpPolicy.allowlist
	not allowlist in [[], null]
}
