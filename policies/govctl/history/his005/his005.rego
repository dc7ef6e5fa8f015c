# METADATA
# title: "Settings change calmly and in working hours"
# description: >-
#   Changes at night, or one right after the other, are worth a question.
# scope: package
# schemas:
#   - input: schema.history
package govctl.history.his005

import data.govctl.lib.instants
import data.govctl.lib.params
import data.govctl.lib.say

# METADATA
# title: "Settings change calmly and in working hours"
# description: >-
#   Fires when a revision was made outside the days and hours of the parameters change_days and
#   change_hours, in UTC, or sooner after the one before than change_spacing_minutes. A rule sees two
#   revisions, so it looks at their distance instead of counting changes a day.
# scope: document
# custom:
#   id: HIS005
#   severity: medium
#   input: history
#   default: false
#   remediation: >-
#     Ask who made the change, or widen the window.
#   requires:
#     - /from/updated_at
#     - /to/updated_at
#   tags:
#     - change-window
#   since: "0.1"
findings contains {
	"path": "/to/updated_at",
	"message": sprintf(
		"revision %v was made at %v, %v",
		[say.value(input.to.revision), say.value(input.to.updated_at), reason],
	),
} if {
	some reason in _reasons
}

findings contains {
	"path": "/to/updated_at",
	"message": sprintf("%v is not a date and time, so nobody can say when the change was made", [say.value(text)]),
} if {
	text := input.to.updated_at
	not instants.nanos(text)
}

_made := instants.nanos(input.to.updated_at)

_reasons contains sprintf("a %s", [day]) if {
	day := time.weekday(_made)
	not day in params.value("change_days")
}

_reasons contains "outside the permitted hours" if not time.clock(_made)[0] in params.value("change_hours")

_reasons contains sprintf("less than %v minutes after the one before", [minutes]) if {
	minutes := params.value("change_spacing_minutes")
	_made - instants.nanos(input.from.updated_at) < instants.minutes(minutes)
}
