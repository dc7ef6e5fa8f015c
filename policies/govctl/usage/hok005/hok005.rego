# METADATA
# title: "Only approved hooks ran"
# description: >-
#   A hook that nobody approved runs with the rights of whoever works with the agent.
# scope: package
# schemas:
#   - input: schema.usage
package govctl.usage.hok005

import data.govctl.lib.groups
import data.govctl.lib.params
import data.govctl.lib.say

# METADATA
# title: "Only approved hooks ran"
# description: >-
#   Fires once for each command in hooks_by_event that is not in the parameter approved_hook_commands.
# scope: document
# custom:
#   id: HOK005
#   severity: medium
#   input: usage
#   default: false
#   remediation: >-
#     Find out who added the hook, then approve or remove it.
#   requires:
#     - /tools
#   tags:
#     - hooks
#     - audit
#   since: "0.1"
findings contains {
	"path": min([place[1] | some place in places]),
	"message": sprintf(
		"a hook ran %v on %v, which nobody approved",
		[say.value(command), say.list({place[0] | some place in places})],
	),
} if {
	some command, places in _places
	not command in params.value("approved_hook_commands")
}

findings contains {
	"path": "/tools",
	"message": sprintf("the rows are %v, not a list, so they cannot be judged", [say.value(rows)]),
} if {
	rows := input.tools
	not is_array(rows)
}

_places := groups.of([[item.command, [item.event, sprintf("/tools/%d/hooks_by_event/%d/command", [i, j])]] |
	some i, row in input.tools
	some j, item in row.hooks_by_event
])
