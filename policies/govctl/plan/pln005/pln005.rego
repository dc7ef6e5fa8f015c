# METADATA
# title: "No new limit lies below what was used already"
# description: A limit below the credits that somebody has used may stop that person at once.
# scope: package
# schemas:
#   - input: schema.plan
package govctl.plan.pln005

import data.govctl.lib.changes
import data.govctl.lib.credits
import data.govctl.lib.emails
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "No new limit lies below what was used already"
# description: >-
#   Fires for a limit that is lower than the credits its member used in the days of the usage that was
#   given. The service does not say over which period a limit counts, so this compares with the days
#   that were read.
# scope: document
# custom:
#   id: PLN005
#   severity: medium
#   input: plan
#   default: true
#   remediation: >-
#     Raise the limit, or tell the person.
#   requires:
#     - /plan/changes
#     - /usage/users
#   tags:
#     - limits
#     - usage
#   since: "0.1"
findings contains {
	"path": pointer.of(["plan", "changes", i, "after"]),
	"message": sprintf(
		"the limit of %v becomes %v, below the %v credits already used",
		[say.value(change.key), say.value(change.after), used],
	),
	"subject": say.name(change.key),
} if {
	some i, change in changes.list
	change.kind == "limit"
	is_number(change.after)
	used := _used[emails.folded(change.key)]
	change.after < used
}

findings contains problem if some problem in credits.problems(input.usage.users, ["usage", "users"])

_used := credits.by_member(input.usage.users)
