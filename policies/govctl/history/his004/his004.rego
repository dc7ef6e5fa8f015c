# METADATA
# title: "The history is whole and in order"
# description: >-
#   What a missing revision changed, and who made it, nobody can tell.
# scope: package
# schemas:
#   - input: schema.history
package govctl.history.his004

import data.govctl.lib.instants
import data.govctl.lib.say

# METADATA
# title: "The history is whole and in order"
# description: >-
#   Fires when a revision does not follow the one before by one, or was made earlier, or has no readable
#   time.
# scope: document
# custom:
#   id: HIS004
#   severity: medium
#   input: history
#   default: true
#   remediation: >-
#     Read the history again; if the gap stays, ask the service for the missing revisions.
#   requires:
#     - /from/revision
#     - /to/revision
#     - /from/updated_at
#     - /to/updated_at
#   tags:
#     - versions
#   since: "0.1"
findings contains {
	"path": "/to/revision",
	"message": sprintf(
		"revision %v follows revision %v: those between are not visible",
		[say.value(input.to.revision), say.value(input.from.revision)],
	),
} if {
	from := input.from.revision
	to := input.to.revision
	not _follows(from, to)
}

findings contains {
	"path": "/to/updated_at",
	"message": sprintf(
		"revision %v is dated %v, before the revision that it follows",
		[say.value(input.to.revision), say.value(input.to.updated_at)],
	),
} if {
	instants.nanos(input.to.updated_at) < instants.nanos(input.from.updated_at)
}

findings contains {
	"path": sprintf("/%s/updated_at", [side]),
	"message": sprintf("%v is not a date and time", [say.value(text)]),
} if {
	some side in ["from", "to"]
	text := input[side].updated_at
	not instants.nanos(text)
}

_follows(from, to) if {
	is_number(from)
	to == from + 1
}
