# METADATA
# title: "The newest report is well formed"
# description: A criterion that cannot be right makes every score that counts it wrong.
# scope: package
# schemas:
#   - input: schema.readiness
package govctl.readiness.rdy010

import data.govctl.lib.fields
import data.govctl.lib.pointer
import data.govctl.lib.reports
import data.govctl.lib.say

# METADATA
# title: "The newest report is well formed"
# description: >-
#   Fires for a criterion of the newest report whose denominator is not a number from 1, whose numerator
#   is not a number from 0 to the denominator, or that gives no rationale; and where the report before it
#   has the same time, so that nobody knows which is the newest.
# scope: document
# custom:
#   id: RDY010
#   severity: medium
#   input: readiness
#   default: true
#   remediation: >-
#     Have the repository evaluated again; report what stays to whoever maintains the agent.
#   requires:
#     - /reports/0
#     - /repository
#   tags:
#     - readiness
#     - form
#   since: "0.1"
findings contains {
	"path": pointer.of(["reports", newest.index, "report", name]),
	"message": sprintf("%v is malformed: %v", [name, reason]),
} if {
	newest := reports.newest(input.repository, input.reports)
	some name, criterion in newest.report.report
	reason := _reason(criterion)
}

findings contains {
	"path": pointer.of(["reports", newest.index, "report"]),
	"message": sprintf("the criteria of the report are %v, not an object", [say.value(criteria)]),
} if {
	newest := reports.newest(input.repository, input.reports)
	criteria := fields.of(newest.report, "report", null)
	not is_object(criteria)
}

findings contains {
	"path": pointer.of(["reports", newest.index, "createdAt"]),
	"message": "two reports have the time of the newest; the one that comes first is taken",
} if {
	is_array(input.reports)
	newest := reports.newest(input.repository, input.reports)
	older := array.slice(input.reports, newest.index + 1, count(input.reports))
	reports.newest(input.repository, older).report.createdAt == newest.report.createdAt
}

_reason(criterion) := "the share cannot be read" if not _has_ratio(criterion)

else := "there is no rationale" if not _has_rationale(criterion)

_has_ratio(criterion) if reports.ratio(criterion) >= 0

_has_rationale(criterion) if {
	is_string(criterion.rationale)
	trim_space(criterion.rationale) != ""
}

# One that was taken for a secret, because the name of its criterion sounds like one.
_has_rationale(criterion) if criterion.rationale.redacted == true
