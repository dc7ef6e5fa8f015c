# METADATA
# title: "Nobody is about to reach a limit"
# description: Whoever reaches a limit stops working in the middle of something.
# scope: package
# schemas:
#   - input: schema.usage
package govctl.usage.use001

import data.govctl.lib.credits
import data.govctl.lib.emails
import data.govctl.lib.fields
import data.govctl.lib.params
import data.govctl.lib.pointer
import data.govctl.lib.say
import data.govctl.lib.window

# METADATA
# title: "Nobody is about to reach a limit"
# description: >-
#   Fires for a limit that its member's usage exceeds, or will exceed if it goes on like this for
#   usage_period_days. The service does not say over which period a limit counts, so this is a
#   projection.
# scope: document
# custom:
#   id: USE001
#   severity: high
#   input: usage
#   default: true
#   remediation: >-
#     Raise the limit, or talk to the person about what uses so much.
#   requires:
#     - /window/from
#     - /window/to
#     - /users
#     - /limits
#   tags:
#     - usage
#     - limits
#   since: "0.1"
findings contains {
	"path": pointer.of(["limits", i]),
	"message": sprintf(
		"%v used %v credits in %v days, which makes %v in %v days; the limit is %v",
		[say.value(entry.email), used, days, round(projected), period, entry.limit],
	),
	"subject": entry.email,
} if {
	days := window.days(input.window)
	period := params.value("usage_period_days")
	some i, entry in input.limits
	is_number(entry.limit)
	used := _used[emails.folded(entry.email)]
	projected := max([used, (used / days) * period])
	projected > entry.limit
}

findings contains {
	"path": pointer.of(["limits", i]),
	"message": sprintf(
		"the limit of %v is %v, not a number",
		[say.value(fields.of(entry, "email", null)), say.value(limit)],
	),
} if {
	some i, entry in input.limits
	limit := entry.limit
	not is_number(limit)
}

findings contains problem if some problem in window.problems(input.window)

findings contains problem if some problem in credits.problems(input.users, ["users"])

_used := credits.by_member(input.users)
