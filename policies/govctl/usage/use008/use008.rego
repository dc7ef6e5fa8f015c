# METADATA
# title: "Every MCP server is counted under one name"
# description: >-
#   Two spellings of one server split its numbers, so that neither shows how much it is used.
# scope: package
# schemas:
#   - input: schema.usage
package govctl.usage.use008

import data.govctl.lib.groups
import data.govctl.lib.lists
import data.govctl.lib.say

# METADATA
# title: "Every MCP server is counted under one name"
# description: >-
#   Fires for servers in the tool rows whose names are equal but for case. The service documents that
#   this occurs.
# scope: document
# custom:
#   id: USE008
#   severity: low
#   input: usage
#   default: true
#   remediation: Have clients use one spelling; add the numbers up when reading them.
#   requires:
#     - /tools
#   tags:
#     - usage
#     - mcp
#     - quality
#   since: "0.1"
findings contains {
	"path": min([place[1] | some place in places]),
	"message": sprintf("one MCP server is counted as %v", [say.list(spellings)]),
	"subject": server,
} if {
	some server, places in _places
	spellings := {place[0] | some place in places}
	count(spellings) > 1
}

findings contains {
	"path": "/tools",
	"message": sprintf("the rows are %v, not a list, so they cannot be judged", [say.value(rows)]),
} if {
	rows := input.tools
	not is_array(rows)
}

_places := groups.of([[lists.folded(item.server), [item.server, path]] |
	some i, row in input.tools
	some j, item in row.mcp_by_server
	path := sprintf("/tools/%d/mcp_by_server/%d/server", [i, j])
])
