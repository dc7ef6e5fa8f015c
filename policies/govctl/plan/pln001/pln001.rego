# METADATA
# title: "No limit jumps"
# description: >-
#   One zero too many in a file is a bill, and a raise for oneself is the first thing to try.
# scope: package
# schemas:
#   - input: schema.plan
package govctl.plan.pln001

import data.govctl.lib.changes
import data.govctl.lib.params
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "No limit jumps"
# description: >-
#   Fires for a limit above the parameter max_limit, or a raise from the last confirmed value by
#   max_raise_factor times or more, or by more than max_raise credits. A limit that was never set has
#   nothing to jump from.
# scope: document
# custom:
#   id: PLN001
#   severity: high
#   input: plan
#   default: true
#   remediation: >-
#     Correct the number, or split the raise into steps that somebody approves.
#   requires:
#     - /plan/changes
#   tags:
#     - limits
#   since: "0.1"
findings contains {
	"path": pointer.of(["plan", "changes", i, "after"]),
	"message": sprintf("the limit of %v becomes %v, %v", [say.value(change.key), say.value(change.after), reason]),
	"subject": say.name(change.key),
} if {
	some i, change in _suspects
	change.kind == "limit"
	is_number(change.after)
	reason := _reason(change)
}

# The overview names the changes with the largest steps and says what the others stay within, so
# hardly any plan has to be walked through.
_suspects := {n.at: n.change | some n in input.overview.notable} if {
	input.overview.notable
	not _beyond(input.overview.rest)
} else := changes.list

_beyond(rest) if rest.after > params.value("max_limit")

_beyond(rest) if rest.factor >= params.value("max_raise_factor")

_beyond(rest) if rest.raise > params.value("max_raise")

_reason(change) := sprintf("above max_limit %v", [params.value("max_limit")]) if {
	change.after > params.value("max_limit")
} else := sprintf("%v times or more of %v", [params.value("max_raise_factor"), change.before.value]) if {
	is_number(change.before.value)
	change.before.value > 0
	change.after >= change.before.value * params.value("max_raise_factor")
} else := sprintf("more than %v above %v", [params.value("max_raise"), change.before.value]) if {
	is_number(change.before.value)
	change.after - change.before.value > params.value("max_raise")
}
