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
	"message": sprintf("%v is listed before as %v", [say.value(entry), say.value(earlier)]),
} if {
	some places in _repeated
	some i in places
	some j in places
	j < i
	entry := input.settings.mcpPolicy.allowlist[i]
	earlier := input.settings.mcpPolicy.allowlist[j]
}

findings contains problem if {
	some problem in lists.problems(input.settings.mcpPolicy.allowlist, ["settings", "mcpPolicy", "allowlist"])
}

# The places of every text that is there more than once.
_repeated := {places | some places in _places; count(places) > 1} if not _all_differ

_places[text] contains i if {
	lists.only_texts(input.settings.mcpPolicy.allowlist)
	some i, text in lists.all_folded(input.settings.mcpPolicy.allowlist)
}

_places[lists.folded(entry)] contains i if {
	not lists.only_texts(input.settings.mcpPolicy.allowlist)
	some i, entry in input.settings.mcpPolicy.allowlist
}

_all_differ if {
	folded := lists.all_folded(input.settings.mcpPolicy.allowlist)
	count({entry | some entry in folded}) == count(folded)
}
