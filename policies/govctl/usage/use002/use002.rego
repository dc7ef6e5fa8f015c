# METADATA
# title: "No limit is far above what is used"
# description: >-
#   A budget that nobody uses is missing somewhere else, and a high limit is a large loss if the account
#   is taken over.
# scope: package
# schemas:
#   - input: schema.usage
package govctl.usage.use002

import data.govctl.lib.credits
import data.govctl.lib.emails
import data.govctl.lib.fields
import data.govctl.lib.params
import data.govctl.lib.pointer
import data.govctl.lib.say
import data.govctl.lib.window

# METADATA
# title: "No limit is far above what is used"
# description: >-
#   Fires for a limit of which less than the share idle_limit_share was used, in a window of at least
#   idle_limit_days.
# scope: document
# custom:
#   id: USE002
#   severity: info
#   input: usage
#   default: false
#   remediation: Lower the limit.
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
	"message": sprintf("%v used %v of %v credits in %v days", [say.value(entry.email), used, entry.limit, days]),
	"subject": entry.email,
} if {
	days := window.days(input.window)
	days >= params.value("idle_limit_days")
	some i, entry in input.limits
	is_number(entry.limit)
	used := fields.of(_used, emails.folded(entry.email), 0)
	used < entry.limit * params.value("idle_limit_share")
}

findings contains problem if some problem in window.problems(input.window)

findings contains problem if some problem in credits.problems(input.users, ["users"])

_used := credits.by_member(input.users)
