# METADATA
# title: "No MCP server is listed twice in another spelling"
# description: >-
#   Usage counts servers by their exact name, so two spellings of one server hide how much it is used.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.mcp003

import data.govctl.lib.lists
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "No MCP server is listed twice in another spelling"
# description: >-
#   Fires for an entry of mcpPolicy.allowlist that equals an earlier one but for case and spaces.
# scope: document
# custom:
#   id: MCP003
#   severity: low
#   input: settings
#   default: true
#   remediation: >-
#     Keep one spelling, the one that clients use.
#   requires:
#     - /settings/mcpPolicy/allowlist
#   tags:
#     - mcp
#   since: "0.1"
findings contains {
	"path": pointer.of(["settings", "mcpPolicy", "allowlist", i]),
	"message": sprintf("%v is listed before as %v", [say.value(listed[i]), say.value(listed[j])]),
} if {
	listed := input.settings.mcpPolicy.allowlist
	some [i, j] in lists.repeats(listed)
}

findings contains problem if {
	some problem in lists.problems(input.settings.mcpPolicy.allowlist, ["settings", "mcpPolicy", "allowlist"])
}
