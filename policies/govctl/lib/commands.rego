# METADATA
# title: Shell commands
# description: Takes command lines apart as far as a rule needs it, not as a shell would.
package govctl.lib.commands

# METADATA
# description: >-
#   The calls of a command line, each as its words: the program first, in lower case and without its
#   directory. Assignments and env in front of it are left out.
parts(command) := {words |
	is_string(command)
	some piece in regex.split(`[|;&()\x60\n]+|\$\(`, command)
	all := regex.split(`\s+`, trim_space(_without_prefix(piece)))
	all[0] != ""
	words := array.concat([_program(all[0])], array.slice(all, 1, count(all)))
}

# METADATA
# description: The programs that a command line calls, as parts has them.
programs(command) := {_program(call[1]) |
	is_string(command)
	some call in regex.find_all_string_submatch_n(_calls, command, -1)
}

# A program at the start of the line, or behind what ends a call before it.
_calls := `(?:^|[|;&()\x60\n])\s*(?:(?:\S*/)?env\s+|[A-Za-z_][A-Za-z0-9_]*=\S*\s+)*([^\s|;&()\x60]+)`

_without_prefix(piece) := regex.replace(trim_space(piece), `^((\S*/)?env\s+|[A-Za-z_][A-Za-z0-9_]*=\S*\s+)+`, "")

_program(word) := lower(regex.replace(trim(word, `"'`), `^.*[/\\]`, ""))
