# METADATA
# title: "Everybody who uses credits has a limit"
# description: Somebody without a declared limit can use as much as the service lets them.
# scope: package
# schemas:
#   - input: schema.usage
package govctl.usage.use003

import data.govctl.lib.emails
import data.govctl.lib.groups
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "Everybody who uses credits has a limit"
# description: >-
#   Fires for a member who used credits and has no limit among those given. Accounts without an address
#   cannot be given a limit and do not fire.
# scope: document
# custom:
#   id: USE003
#   severity: medium
#   input: usage
#   default: true
#   remediation: >-
#     Declare a limit, or a default for everybody.
#   requires:
#     - /users
#     - /limits
#   tags:
#     - usage
#     - limits
#   since: "0.1"
findings contains {
	"path": pointer.of(["users", min(rows)]),
	"message": sprintf("%v used credits and has no declared limit", [say.value(email)]),
	"subject": email,
} if {
	input.limits
	some email, rows in _rows
	not email in _limited
}

findings contains {
	"path": "/limits",
	"message": sprintf("the limits are %v, not a list, so nobody seems to have one", [say.value(limits)]),
} if {
	limits := input.limits
	not is_array(limits)
}

_limited contains emails.folded(entry.email) if some entry in input.limits

_rows := groups.of([[emails.folded(row.user_email), i] |
	some i, row in input.users
	row.billable_tokens != 0
])
