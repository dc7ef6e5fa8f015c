# METADATA
# title: "No allowed command covers everything"
# description: >-
#   A wildcard, or an interpreter that takes its program as an argument, allows every command there is.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.cmd004

import data.govctl.lib.commands
import data.govctl.lib.lists
import data.govctl.lib.params
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "No allowed command covers everything"
# description: >-
#   Fires for an allowed command that consists of wildcards only, and for an interpreter of the
#   parameter interpreters followed by -c, -e or nothing but a wildcard.
# scope: document
# custom:
#   id: CMD004
#   severity: high
#   input: settings
#   default: true
#   remediation: Allow the script by its path instead of the interpreter.
#   requires:
#     - /settings/commandAllowlist
#   tags:
#     - commands
#   since: "0.1"
findings contains {
	"path": pointer.of(["settings", "commandAllowlist", i]),
	"message": sprintf("%v allows every command", [say.value(command)]),
} if {
	allowed := input.settings.commandAllowlist
	not _harmless(allowed)
	some i, command in allowed
	is_string(command)
	_covers_everything(command)
}

findings contains problem if {
	some problem in lists.problems(input.settings.commandAllowlist, ["settings", "commandAllowlist"])
}

# Whether no command has a wildcard, or an argument that could be the switch of an interpreter.
_harmless(allowed) if {
	count(lists.mentioned(allowed, ["*"])) == 0
	not _calls_with_switch(allowed)
}

_calls_with_switch(allowed) if {
	count(lists.mentioned(allowed, [" -", " \"-", " '-", "\t", "\n", "\r", "\f"])) > 0
	count(lists.mentioned(allowed, params.value("interpreters"))) > 0
}

_covers_everything(command) if regex.match(`^[\s.*^$]*\*[\s.*^$]*$`, command)

_covers_everything(command) if {
	regex.match(`\s["']?[-*]`, command) # the only ones that can; it saves taking the others apart
	some part in commands.parts(command)
	regex.replace(part[0], `[0-9.]+$`, "") in params.value("interpreters")
	_takes_anything(array.slice(part, 1, count(part)))
}

_takes_anything(arguments) if {
	some argument in arguments
	regex.match(`^(-[a-z]*[ce]|--eval|--execute|--command|-command)$`, argument)
}

_takes_anything(["*"])
