# METADATA
# title: "No computer is bound anew or cannot be changed"
# description: >-
#   Another host or another account under a computer in use breaks the sessions that run on it.
# scope: package
# schemas:
#   - input: schema.plan
package govctl.plan.pln010

import data.govctl.lib.changes
import data.govctl.lib.fields
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "No computer is bound anew or cannot be changed"
# description: >-
#   Fires for a change of host_id or remote_user on a computer that has one, and for a computer whose
#   declaration the API cannot carry out. A plan does not show whether a computer is active, so the rule
#   takes every one as being in use.
# scope: document
# custom:
#   id: PLN010
#   severity: medium
#   input: plan
#   default: true
#   remediation: >-
#     Wait until no session runs on it; for what the API cannot do, correct the declaration.
#   requires:
#     - /plan/changes
#   tags:
#     - computers
#   since: "0.1"
findings contains {
	"path": pointer.of(["plan", "changes", i, "fields", j]),
	"message": sprintf(
		"%v of computer %v changes from %v to %v",
		[field.name, say.value(change.key), say.value(before), say.value(field.after)],
	),
	"subject": say.name(change.key),
} if {
	some i, change in changes.objects
	change.kind == "computer"
	change.action == "update"
	some j, field in change.fields
	field.name in {"host_id", "remote_user"}
	before := fields.of(field, "before", "")
	not before in {"", null}
}

findings contains {
	"path": pointer.of(["plan", "changes", i]),
	"message": sprintf(
		"computer %v cannot be changed: %v",
		[say.value(change.key), say.value(fields.of(change, "detail", ""))],
	),
	"subject": say.name(change.key),
} if {
	some i, change in changes.objects
	change.kind == "computer"
	change.action == "blocked"
}
