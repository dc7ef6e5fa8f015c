# METADATA
# title: "No criterion got worse"
# description: >-
#   A criterion that passed before and does not now was broken by somebody who can still remember how.
# scope: package
# schemas:
#   - input: schema.readiness
package govctl.readiness.rdy003

import data.govctl.lib.pointer
import data.govctl.lib.reports

# METADATA
# title: "No criterion got worse"
# description: >-
#   Fires for a criterion whose share is lower than in the report before of the same branch that was
#   made on a clean commit. Another model or effort can move a share too; RDY008 says when they changed.
# scope: document
# custom:
#   id: RDY003
#   severity: high
#   input: readiness
#   default: true
#   remediation: Find the change between the two commits and repair it.
#   requires:
#     - /reports/0
#     - /repository
#   tags:
#     - readiness
#     - regression
#   since: "0.1"
findings contains {
	"path": pointer.of(["reports", newest.index, "report", name]),
	"message": sprintf(
		"%v passed for %v of %v and passes for %v of %v",
		[name, was.numerator, was.denominator, is.numerator, is.denominator],
	),
} if {
	newest := reports.newest(input.repository, input.reports)
	before := reports.before(newest, input.reports)
	some name, was in before.report.report
	is := newest.report.report[name]
	reports.ratio(is) < reports.ratio(was)
}

findings contains {
	"path": pointer.of(["reports", newest.index, "report", name]),
	"message": sprintf("%v could be read before and cannot be now", [name]),
} if {
	newest := reports.newest(input.repository, input.reports)
	before := reports.before(newest, input.reports)
	some name, was in before.report.report
	is := newest.report.report[name]
	reports.ratio(was) >= 0
	not reports.ratio(is)
}
