# METADATA
# title: "Every limit is a whole number above zero"
# description: >-
#   What a limit of zero does is not stated, and the service refuses the others.
# scope: package
# schemas:
#   - input: schema.plan
package govctl.plan.pln006

import data.govctl.lib.changes
import data.govctl.lib.params
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "Every limit is a whole number above zero"
# description: >-
#   Fires for a limit that is not a whole number above zero. Zero passes with the parameter
#   allow_zero_limit.
# scope: document
# custom:
#   id: PLN006
#   severity: high
#   input: plan
#   default: true
#   remediation: Write a whole number of credits.
#   requires:
#     - /plan/changes
#   tags:
#     - limits
#   since: "0.1"
findings contains {
	"path": pointer.of(["plan", "changes", i, "after"]),
	"message": sprintf(
		"the limit of %v becomes %v, not a whole number above zero",
		[say.value(change.key), say.value(after)],
	),
} if {
	not _all_sound
	some i, change in changes.list
	change.kind == "limit"
	after := object.get(change, "after", null)
	not _sound(after)
}

findings contains {
	"path": "/plan/changes",
	"message": sprintf("the changes are %v, not a list, so no limit can be judged", [say.value(changes.list)]),
} if {
	not input.overview # it is made of a list
	not is_array(changes.list)
}

# The smallest one says it of all: those of an overview are whole numbers.
_all_sound if _sound(input.overview.least)

_sound(after) if {
	is_number(after)
	after > 0
	after == floor(after)
}

_sound(after) if {
	after == 0
	params.value("allow_zero_limit") == true
}
