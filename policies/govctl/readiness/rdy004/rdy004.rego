# METADATA
# title: "No criterion disappeared"
# description: >-
#   A share can rise because fewer applications are counted, and a criterion passes best when nobody
#   looks.
# scope: package
# schemas:
#   - input: schema.readiness
package govctl.readiness.rdy004

import data.govctl.lib.pointer
import data.govctl.lib.reports
import data.govctl.lib.say

# METADATA
# title: "No criterion disappeared"
# description: >-
#   Fires for a criterion that the clean report before of the same branch had and the newest does not,
#   and for one whose denominator fell while its share rose.
# scope: document
# custom:
#   id: RDY004
#   severity: medium
#   input: readiness
#   default: true
#   remediation: >-
#     Check which applications are no longer counted, and why.
#   requires:
#     - /reports/0
#     - /repository
#   tags:
#     - readiness
#     - regression
#   since: "0.1"
findings contains {
	"path": pointer.of(["reports", newest.index, "report"]),
	"message": sprintf("the report before had the criteria %v", [say.list(gone)]),
} if {
	newest := reports.newest(input.repository, input.reports)
	before := reports.before(newest, input.reports)
	gone := {name | some name, _ in before.report.report; not newest.report.report[name]}
	count(gone) > 0
}

findings contains {
	"path": pointer.of(["reports", newest.index, "report", name]),
	"message": sprintf(
		"%v went up from %v of %v to %v of %v, because fewer applications count",
		[name, was.numerator, was.denominator, is.numerator, is.denominator],
	),
} if {
	newest := reports.newest(input.repository, input.reports)
	before := reports.before(newest, input.reports)
	some name, was in before.report.report
	is := newest.report.report[name]
	reports.ratio(is) > reports.ratio(was)
	is.denominator < was.denominator
}
