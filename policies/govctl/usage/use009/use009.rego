# METADATA
# title: "Nobody's usage leaps from one day to the next"
# description: >-
#   A loop that runs away, or a stolen account, shows as one day that is many times the usual.
# scope: package
# schemas:
#   - input: schema.usage
package govctl.usage.use009

import data.govctl.lib.credits
import data.govctl.lib.groups
import data.govctl.lib.params
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "Nobody's usage leaps from one day to the next"
# description: >-
#   Fires for the newest day of a member when it is above max_day_factor times the median of that
#   member's earlier days, of which at least five must be there, and above max_day_floor credits.
# scope: document
# custom:
#   id: USE009
#   severity: medium
#   input: usage
#   default: false
#   remediation: Look at the sessions of that day.
#   requires:
#     - /users
#   tags:
#     - usage
#     - anomaly
#   since: "0.1"
findings contains {
	"path": pointer.of(["users", newest[1]]),
	"message": sprintf(
		"%v used %v credits on %v, and %v on the median day before",
		[say.value(_who(input.users[newest[1]])), newest[2], newest[0], median],
	),
	"subject": user,
} if {
	some user, days in _days
	ordered := sort(days)
	before := array.slice(ordered, 0, count(ordered) - 1)
	newest := ordered[count(ordered) - 1]
	count(before) >= 5
	median := _median([day[2] | some day in before])
	newest[2] > median * params.value("max_day_factor")
	newest[2] > params.value("max_day_floor")
}

findings contains problem if some problem in credits.problems(input.users, ["users"])

_days := groups.of([[row.user_id, [row.date, i, row.billable_tokens]] |
	some i, row in input.users
	is_number(row.billable_tokens)
])

_who(row) := row.user_email if row.user_email != null

else := row.user_id

_median(values) := (ordered[floor((n - 1) / 2)] + ordered[floor(n / 2)]) / 2 if {
	ordered := sort(values)
	n := count(ordered)
}
