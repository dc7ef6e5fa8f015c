# METADATA
# title: "The limits stay within the budget"
# description: Many small limits make one big bill.
# scope: package
# schemas:
#   - input: schema.plan
package govctl.plan.pln002

import data.govctl.lib.changes
import data.govctl.lib.params
import data.govctl.lib.say

# METADATA
# title: "The limits stay within the budget"
# description: >-
#   Fires when the limits that the plan sets add up to more than the parameter budget. Limits that the
#   plan leaves alone are not in it and do not count, so the true sum may be higher. Without a budget
#   nothing fires.
# scope: document
# custom:
#   id: PLN002
#   severity: high
#   input: plan
#   default: true
#   remediation: >-
#     Lower the limits, or have the budget raised.
#   requires:
#     - /plan/changes
#   tags:
#     - limits
#     - budget
#   since: "0.1"
findings contains {
	"path": "/plan/changes",
	"message": sprintf(
		"the limits of this plan add up to %v credits, more than the budget of %v",
		[_total, budget],
	),
} if {
	budget := params.value("budget")
	is_number(budget)
	_total > budget
}

findings contains {
	"path": "/plan/changes",
	"message": sprintf(
		"the budget is %v, not a number of credits, so nothing can be compared with it",
		[say.value(budget)],
	),
} if {
	budget := params.value("budget")
	not is_number(budget)
	not is_null(budget)
}

_total := input.overview.sum if is_number(input.overview.sum)

else := sum([c.after | some c in changes.list; c.kind == "limit"; is_number(c.after)])
