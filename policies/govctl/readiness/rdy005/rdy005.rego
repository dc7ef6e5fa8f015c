# METADATA
# title: "The newest report is recent"
# description: >-
#   An old report says how a repository was, not how it is.
# scope: package
# schemas:
#   - input: schema.readiness
package govctl.readiness.rdy005

import data.govctl.lib.fields
import data.govctl.lib.instants
import data.govctl.lib.params
import data.govctl.lib.pointer
import data.govctl.lib.reports
import data.govctl.lib.say

# METADATA
# title: "The newest report is recent"
# description: >-
#   Fires when the newest report is older than max_age_days of the repository, or the parameter
#   readiness_max_age_days where the repository sets none, lies in the future, or has no time.
# scope: document
# custom:
#   id: RDY005
#   severity: medium
#   input: readiness
#   default: true
#   remediation: >-
#     Have the repository evaluated again, best on a schedule.
#   requires:
#     - /reports/0
#     - /repository
#     - /now
#   tags:
#     - readiness
#     - freshness
#   since: "0.1"
findings contains {
	"path": pointer.of(["reports", newest.index, "createdAt"]),
	"message": sprintf(
		"the newest report is %v, and at most %v days are wanted",
		[_age(newest.report), say.value(most)],
	),
} if {
	newest := reports.newest(input.repository, input.reports)
	most := fields.of(input.repository, "max_age_days", params.value("readiness_max_age_days"))
	not _recent(newest.report, most)
}

_recent(report, most) if {
	is_number(most)
	is_number(report.createdAt)
	age := instants.nanos(input.now) - (report.createdAt * 1000000)
	age <= instants.days(most)
	age >= 0 - instants.days(1)
}

_age(report) := sprintf("%v days old", [days]) if {
	is_number(report.createdAt)
	days := floor((instants.nanos(input.now) - (report.createdAt * 1000000)) / instants.days(1))
}

else := "without a time"
