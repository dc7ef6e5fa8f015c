# METADATA
# title: "The commands that must never run are denied"
# description: >-
#   A short list of destructive commands costs nothing and catches the worst accident.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.cmd002

import data.govctl.lib.lists
import data.govctl.lib.params
import data.govctl.lib.say

# METADATA
# title: "The commands that must never run are denied"
# description: >-
#   Fires when an entry of the parameter required_deny_commands is not in commandDenylist, compared
#   without regard to case and spaces. Patterns that would cover it are not recognized, because their
#   syntax is not stated.
# scope: document
# custom:
#   id: CMD002
#   severity: medium
#   input: settings
#   default: true
#   remediation: Add the missing commands to commandDenylist.
#   requires:
#     - /settings/commandDenylist
#   tags:
#     - commands
#   since: "0.1"
findings contains {
	"path": "/settings/commandDenylist",
	"message": sprintf("commandDenylist lacks %v", [say.list(missing)]),
} if {
	list := input.settings.commandDenylist
	missing := lists.lacking(list, params.value("required_deny_commands"))
	count(missing) > 0
}

findings contains problem if {
	some problem in lists.problems(input.settings.commandDenylist, ["settings", "commandDenylist"])
}
