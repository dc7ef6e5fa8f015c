# METADATA
# title: Credits
# description: Adds up the credits of rows of usage, and says where they do not show them.
package govctl.lib.credits

import data.govctl.lib.emails
import data.govctl.lib.groups
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# description: >-
#   The credits that each member used in all rows, by folded address. Rows without an address, and such
#   that do not show their credits, add nothing.
by_member(rows) := {email: sum(used) |
	some email, used in groups.of([[emails.folded(row.user_email), row.billable_tokens] |
		some row in rows
		is_number(row.billable_tokens)
	])
}

# METADATA
# description: >-
#   One finding for rows that are no list, or for the first row whose billable_tokens is not a number, as when
#   the organization hides them. A rule that adds credits up includes it, because what it cannot count
#   it cannot pass.
problems(rows, at) := {{
	"path": pointer.of(at),
	"message": sprintf("the rows are %v, not a list, so nothing can be counted", [say.value(rows)]),
}} if {
	not is_array(rows)
}

problems(rows, at) := {finding |
	silent := [i | some i, row in rows; not _shows_credits(row)]
	finding := {
		"path": pointer.of(array.concat(at, [silent[0], "billable_tokens"])),
		"message": sprintf("%v of %v rows do not show their credits as a number", [count(silent), count(rows)]),
	}
} if {
	is_array(rows)
}

_shows_credits(row) if is_number(row.billable_tokens)
