# METADATA
# title: Hosts
# description: Reads lists of the names of hosts.
package govctl.lib.hosts

import data.govctl.lib.lists

# METADATA
# description: >-
#   Whether a value is a list of names in lower case, each with a dot inside and perhaps a wildcard before it.
#   Nearly every list of hosts is one, and to look at every name takes far longer.
ordinary(value) if {
	lists.only_texts(value)
	lines := replace(concat("", ["\n", concat("\n", value), "\n"]), "\n*.", "\n")
	trim_left(lines, "\n.-_0123456789abcdefghijklmnopqrstuvwxyz") == ""
	every outside in ["\n.", ".\n", "\n\n"] {
		not contains(lines, outside)
	}
	every name in split(trim(lines, "\n"), "\n") {
		contains(name, ".")
	}
}
