# METADATA
# title: "Nobody holds a limit without working"
# description: >-
#   A limit of somebody who does not work with the agent any more is a credit card in a drawer.
# scope: package
# schemas:
#   - input: schema.usage
package govctl.usage.use010

import data.govctl.lib.emails
import data.govctl.lib.params
import data.govctl.lib.pointer
import data.govctl.lib.say
import data.govctl.lib.window

# METADATA
# title: "Nobody holds a limit without working"
# description: >-
#   Fires for a limit whose member started no session in a window of at least idle_limit_days.
# scope: document
# custom:
#   id: USE010
#   severity: low
#   input: usage
#   default: false
#   remediation: >-
#     Lower the limit, or remove the member.
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
	"message": sprintf("%v has a limit and started no session in %v days", [say.value(entry.email), days]),
	"subject": entry.email,
} if {
	days := window.days(input.window)
	days >= params.value("idle_limit_days")
	is_array(input.users)
	some i, entry in input.limits
	not emails.folded(entry.email) in _active
}

findings contains problem if some problem in window.problems(input.window)

# What is no number of sessions counts as activity.
_active contains emails.folded(row.user_email) if {
	some row in input.users
	row.sessions != 0
}
