# METADATA
# title: "No command that gives rights, a shell or a download runs unasked"
# description: >-
#   An allowlisted command runs without approval, so an allowlisted shell or download tool allows
#   everything.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.cmd001

import data.govctl.lib.commands
import data.govctl.lib.lists
import data.govctl.lib.params
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "No command that gives rights, a shell or a download runs unasked"
# description: >-
#   Fires for an allowed command in which a program of the parameter risky_commands is called, also
#   behind assignments, env, a path, a pipe or another command. How the service matches entries is not
#   stated; the rule reads them as shell text.
# scope: document
# custom:
#   id: CMD001
#   severity: high
#   input: settings
#   default: true
#   remediation: >-
#     Allow the exact command that is needed, or a script of your own that does only that.
#   requires:
#     - /settings/commandAllowlist
#   tags:
#     - commands
#   since: "0.1"
findings contains {
	"path": pointer.of(["settings", "commandAllowlist", i]),
	"message": sprintf("%v runs without approval and calls %v", [say.value(command), say.list(risky)]),
} if {
	# Taking a command apart is slow, so it is done only where one of the programs is named at all.
	named := lists.mentioned(input.settings.commandAllowlist, params.value("risky_commands"))
	count(named) > 0
	some i, command in input.settings.commandAllowlist
	risky := lists.common(commands.programs(command), named)
	count(risky) > 0
}

findings contains problem if {
	some problem in lists.problems(input.settings.commandAllowlist, ["settings", "commandAllowlist"])
}
