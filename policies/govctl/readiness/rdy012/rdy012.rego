# METADATA
# title: "No criterion counts more applications than there are"
# description: A denominator above the number of applications was counted on something else.
# scope: package
# schemas:
#   - input: schema.readiness
package govctl.readiness.rdy012

import data.govctl.lib.pointer
import data.govctl.lib.reports
import data.govctl.lib.say

# METADATA
# title: "No criterion counts more applications than there are"
# description: >-
#   Fires for a criterion of the newest report whose denominator is above the number of apps. Criteria
#   of a repository as a whole count 1, and a report without apps is not judged.
# scope: document
# custom:
#   id: RDY012
#   severity: low
#   input: readiness
#   default: false
#   remediation: >-
#     Have the repository evaluated again; report what stays to whoever maintains the agent.
#   requires:
#     - /reports/0/apps
#     - /repository
#   tags:
#     - readiness
#     - form
#   since: "0.1"
findings contains {
	"path": pointer.of(["reports", newest.index, "report", name]),
	"message": sprintf(
		"%v counts %v applications, and the report names %v",
		[name, say.value(criterion.denominator), apps],
	),
} if {
	newest := reports.newest(input.repository, input.reports)
	is_object(newest.report.apps)
	apps := count(newest.report.apps)
	apps > 0
	some name, criterion in newest.report.report
	criterion.denominator > apps
}

findings contains {
	"path": pointer.of(["reports", newest.index, "apps"]),
	"message": sprintf(
		"the apps of the report are %v, not an object, so nothing can be counted",
		[say.value(apps)],
	),
} if {
	newest := reports.newest(input.repository, input.reports)
	apps := newest.report.apps
	not is_object(apps)
}
