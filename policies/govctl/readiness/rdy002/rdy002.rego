# METADATA
# title: "The repository reaches its score"
# description: The score shows at one glance whether an agent can work well in a repository.
# scope: package
# schemas:
#   - input: schema.readiness
package govctl.readiness.rdy002

import data.govctl.lib.fields
import data.govctl.lib.params
import data.govctl.lib.pointer
import data.govctl.lib.reports
import data.govctl.lib.say

# METADATA
# title: "The repository reaches its score"
# description: >-
#   Fires when the mean of the shares of the newest report, each criterion counting the same, is below
#   min_score of the repository, or the parameter readiness_min_score where the repository sets none.
#   What cannot be read counts as zero.
# scope: document
# custom:
#   id: RDY002
#   severity: medium
#   input: readiness
#   default: true
#   remediation: >-
#     Work on the criteria with the lowest shares, then have the repository evaluated again.
#   requires:
#     - /reports/0
#     - /repository
#   tags:
#     - readiness
#     - thresholds
#   since: "0.1"
findings contains {
	"path": pointer.of(["reports", newest.index, "report"]),
	"message": sprintf("the score is %v, and %v is wanted", [round(score * 1000) / 1000, say.value(wanted)]),
} if {
	newest := reports.newest(input.repository, input.reports)
	wanted := fields.of(input.repository, "min_score", params.value("readiness_min_score"))
	score := _score(newest.report)
	not _reaches(score, wanted)
}

_score(report) := sum([reports.ratio(c) | some c in report.report]) / count(report.report) if {
	is_object(report.report)
	count(report.report) > 0
}

else := 0

_reaches(score, wanted) if {
	is_number(wanted)
	score >= wanted
}
