# METADATA
# title: "One plan changes few known limits"
# description: >-
#   A slip in a default or a filter changes everybody at once, and nobody reads a thousand lines.
# scope: package
# schemas:
#   - input: schema.plan
package govctl.plan.pln003

import data.govctl.lib.changes
import data.govctl.lib.params

# METADATA
# title: "One plan changes few known limits"
# description: >-
#   Fires when a plan raises or lowers more known limits than the parameter max_changed_limits, or a
#   share above max_changed_share of all members if it is more than max_changed_floor of them. First
#   limits do not count, because adopting govctl sets everybody's once; PLN009 counts those.
# scope: document
# custom:
#   id: PLN003
#   severity: high
#   input: plan
#   default: true
#   remediation: >-
#     Split the plan with --target, or waive the finding for the one change that is meant.
#   requires:
#     - /plan/changes
#   tags:
#     - limits
#     - blast-radius
#   since: "0.1"
findings contains {
	"path": "/plan/changes",
	"message": sprintf("the plan changes %v known limits, %v", [_changed, reason]),
} if {
	reason := _reason(_changed)
}

_changed := input.overview.changed if is_number(input.overview.changed)

else := count([c | some c in changes.list; c.kind == "limit"; c.action in {"raise", "lower"}])

_reason(changed) := sprintf("more than %v", [params.value("max_changed_limits")]) if {
	changed > params.value("max_changed_limits")
} else := sprintf("more than the permitted share of %v members", [_everybody]) if {
	changed > params.value("max_changed_floor")
	changed > _everybody * params.value("max_changed_share")
}

# How many members there are, as far as the document tells.
_everybody := input.overview.addresses if is_number(input.overview.addresses)

else := count(input.members.emails) if {
	input.members.complete == true
	is_array(input.members.emails)
}

else := sum([n | some n in input.plan.summary.limits; is_number(n)])
