# METADATA
# title: "Every criterion reaches its threshold"
# description: A threshold that is not met is work that was agreed on and not done.
# scope: package
# schemas:
#   - input: schema.readiness
package govctl.readiness.rdy001

import data.govctl.lib.fields
import data.govctl.lib.params
import data.govctl.lib.pointer
import data.govctl.lib.reports
import data.govctl.lib.say

# METADATA
# title: "Every criterion reaches its threshold"
# description: >-
#   Fires for a criterion of the newest report whose share of passing applications is below the
#   threshold of the repository, or of the parameter readiness_criteria where the repository sets none,
#   and for a criterion with a threshold that the report does not have or that cannot be read.
# scope: document
# custom:
#   id: RDY001
#   severity: high
#   input: readiness
#   default: true
#   remediation: >-
#     Make the applications pass, then have the repository evaluated again.
#   requires:
#     - /reports/0
#     - /repository
#   tags:
#     - readiness
#     - thresholds
#   since: "0.1"
findings contains {
	"path": pointer.of(["reports", newest.index, "report", name]),
	"message": sprintf(
		"%v passes for %v, and %v is wanted",
		[name, _shown(newest.report, name), say.value(wanted)],
	),
} if {
	newest := reports.newest(input.repository, input.reports)
	declared := fields.of(input.repository, "criteria", {})
	is_object(declared)
	some name, wanted in object.union(params.value("readiness_criteria"), declared)
	not _reaches(newest.report, name, wanted)
}

findings contains {
	"path": "/repository/criteria",
	"message": sprintf("the thresholds are %v, not an object, so they cannot be judged", [say.value(declared)]),
} if {
	declared := input.repository.criteria
	not is_object(declared)
}

_reaches(report, name, wanted) if {
	is_number(wanted)
	reports.ratio(report.report[name]) >= wanted
}

_shown(report, name) := "a share that cannot be read" if {
	report.report[name]
	not _readable(report, name)
}

else := sprintf("%v of %v", [report.report[name].numerator, report.report[name].denominator]) if report.report[name]

else := "nothing, as the report lacks it,"

_readable(report, name) if reports.ratio(report.report[name]) >= 0
