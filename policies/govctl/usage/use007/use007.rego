# METADATA
# title: "Only allowed MCP servers were used"
# description: >-
#   A server that was used although it is not on the list shows that the list has a hole.
# scope: package
# schemas:
#   - input: schema.usage
package govctl.usage.use007

import data.govctl.lib.groups
import data.govctl.lib.lists
import data.govctl.lib.say
import data.govctl.lib.urls

# METADATA
# title: "Only allowed MCP servers were used"
# description: >-
#   Fires once for each server that mcpPolicy.allowlist does not hold, compared without regard to case.
#   A URL is compared with URLs, at or below them, and a name with names and hosts; where the list holds
#   URLs only, names cannot be compared and do not fire.
# scope: document
# custom:
#   id: USE007
#   severity: high
#   input: usage
#   default: true
#   remediation: >-
#     Find out who uses the server and how, then allow it or close the way.
#   requires:
#     - /tools
#     - /settings/mcpPolicy/allowlist
#   tags:
#     - usage
#     - mcp
#   since: "0.1"
findings contains {
	"path": min(paths),
	"message": sprintf("the MCP server %v was used and is not in mcpPolicy.allowlist", [say.value(server)]),
	"subject": server,
} if {
	count(_allowed) > 0
	some server, paths in _paths
	_comparable(server)
	not _allows(server)
}

findings contains problem if {
	some problem in lists.problems(input.settings.mcpPolicy.allowlist, ["settings", "mcpPolicy", "allowlist"])
}

findings contains {
	"path": sprintf("/tools/%d/mcp_by_server/%d/server", [i, j]),
	"message": sprintf(
		"the MCP server that was used is %v, not a text, so it cannot be judged",
		[say.value(server)],
	),
} if {
	input.settings.mcpPolicy.allowlist
	some i, row in input.tools
	some j, item in row.mcp_by_server
	server := item.server
	not is_string(server)
}

findings contains {
	"path": "/tools",
	"message": sprintf("the rows are %v, not a list, so they cannot be judged", [say.value(rows)]),
} if {
	rows := input.tools
	not is_array(rows)
}

_allowed := {lists.folded(entry) | some entry in lists.texts(input.settings.mcpPolicy.allowlist)}

_paths := groups.of([[lists.folded(item.server), sprintf("/tools/%d/mcp_by_server/%d/server", [i, j])] |
	some i, row in input.tools
	some j, item in row.mcp_by_server
])

_comparable(server) if urls.parts(server)

_comparable(_) if {
	some entry in _allowed
	not urls.parts(entry)
}

_allows(server) if server in _allowed

_allows(server) if {
	some entry in _allowed
	urls.inside(server, entry)
}

_allows(server) if {
	some entry in _allowed
	urls.parts(entry).host == server
}
