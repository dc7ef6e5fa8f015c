# METADATA
# title: "No hook runs what it downloads"
# description: >-
#   A hook runs on every event of every session, so whoever serves the download runs programs
#   everywhere.
# scope: package
# schemas:
#   - input: schema.hooks
package govctl.hooks.hok001

import data.govctl.lib.commands
import data.govctl.lib.fields
import data.govctl.lib.hook_file
import data.govctl.lib.params
import data.govctl.lib.paths
import data.govctl.lib.say

# METADATA
# title: "No hook runs what it downloads"
# description: >-
#   Fires for a hook command that pipes or substitutes the output of a program of the parameter
#   download_commands into an interpreter, and for one whose program lies outside the parameter
#   hook_directories, where that is set.
# scope: document
# custom:
#   id: HOK001
#   severity: high
#   input: hooks
#   default: true
#   remediation: Put the script under version control and call it by its path.
#   requires:
#     - /hooks
#   tags:
#     - hooks
#     - commands
#   since: "0.1"
findings contains {
	"path": concat("", [hook.path, "/command"]),
	"message": sprintf("%v runs what %v downloads", [say.value(hook.item.command), say.list(found)]),
} if {
	some hook in hook_file.items(input.hooks)
	programs := commands.programs(hook.item.command)
	found := programs & {p | some p in params.value("download_commands")}
	count(found) > 0
	count(programs & {p | some p in params.value("interpreters")}) > 0
}

findings contains {
	"path": concat("", [hook.path, "/command"]),
	"message": sprintf("%v lies in no directory of hook_directories", [say.value(hook.item.command)]),
} if {
	count(params.value("hook_directories")) > 0
	some hook in hook_file.items(input.hooks)
	not _in_directory(hook.item)
}

findings contains {
	"path": concat("", [hook.path, "/command"]),
	"message": sprintf("the command is %v, not a text, so it cannot be judged", [say.value(command)]),
} if {
	some hook in hook_file.items(input.hooks)
	command := fields.of(hook.item, "command", null)
	not is_string(command)
}

_in_directory(item) if {
	is_string(item.command)
	program := trim(regex.split(`\s+`, trim_space(item.command))[0], `"'`)
	some directory in params.value("hook_directories")
	paths.within(program, directory)
	not ".." in split(program, "/")
}
