# METADATA
# title: "No command is both allowed and denied"
# description: >-
#   Which list wins is not stated, so nobody can say what happens.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.cmd003

import data.govctl.lib.lists
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "No command is both allowed and denied"
# description: Fires for an allowed command that equals a denied one but for case and spaces.
# scope: document
# custom:
#   id: CMD003
#   severity: medium
#   input: settings
#   default: true
#   remediation: Keep the command in one of the two lists.
#   requires:
#     - /settings/commandAllowlist
#     - /settings/commandDenylist
#   tags:
#     - commands
#   since: "0.1"
findings contains {
	"path": pointer.of(["settings", "commandAllowlist", i]),
	"message": sprintf("%v is allowed and denied", [say.value(command)]),
} if {
	both := lists.common(
		lists.all_folded(input.settings.commandAllowlist),
		lists.all_folded(input.settings.commandDenylist),
	)
	count(both) > 0
	some i, command in input.settings.commandAllowlist
	lists.folded(command) in both
}

findings contains problem if {
	some problem in lists.problems(input.settings.commandAllowlist, ["settings", "commandAllowlist"])
}

findings contains problem if {
	some problem in lists.problems(input.settings.commandDenylist, ["settings", "commandDenylist"])
}
