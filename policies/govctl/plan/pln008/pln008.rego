# METADATA
# title: "No limit is only forgotten"
# description: >-
#   Removing a declaration removes nothing from the service; the old limit stays in force and nobody
#   watches it.
# scope: package
# schemas:
#   - input: schema.plan
package govctl.plan.pln008

import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "No limit is only forgotten"
# description: >-
#   Fires for the limits that a plan notes as removed from the configuration. It does not deny by
#   default, because people who leave are removed every day.
# scope: document
# custom:
#   id: PLN008
#   severity: medium
#   input: plan
#   default: true
#   remediation: Set the limit to what should hold before removing the declaration.
#   requires:
#     - /plan/notes
#   tags:
#     - limits
#   since: "0.1"
findings contains {
	"path": pointer.of(["plan", "notes", i]),
	"message": sprintf("no longer declared, but in force on the service: %v", [_names(note)]),
} if {
	some i, note in input.plan.notes
	note.code == "forgotten"
}

findings contains {
	"path": "/plan/notes",
	"message": sprintf("the notes of the plan are %v, not a list, so they cannot be judged", [say.value(notes)]),
} if {
	notes := input.plan.notes
	not is_array(notes)
}

_names(note) := say.list([item.key | some item in note.items])
