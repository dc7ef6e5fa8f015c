# METADATA
# title: "The newest report names its commit and branch"
# description: >-
#   Without them nobody can say what was evaluated, and a report of a side branch says nothing about the
#   product.
# scope: package
# schemas:
#   - input: schema.readiness
package govctl.readiness.rdy007

import data.govctl.lib.params
import data.govctl.lib.pointer
import data.govctl.lib.reports
import data.govctl.lib.say

# METADATA
# title: "The newest report names its commit and branch"
# description: >-
#   Fires when commitHash or branch of the newest report is absent, or the branch is neither the
#   repository's nor, where it has none, in the parameter readiness_branches.
# scope: document
# custom:
#   id: RDY007
#   severity: low
#   input: readiness
#   default: false
#   remediation: Have the default branch evaluated from a clone.
#   requires:
#     - /reports/0
#     - /repository
#   tags:
#     - readiness
#     - reproducible
#   since: "0.1"
findings contains {
	"path": pointer.of(["reports", newest.index]),
	"message": sprintf("the newest report names no %v", [name]),
} if {
	newest := reports.newest(input.repository, input.reports)
	some name in ["branch", "commitHash"]
	not _names(newest.report, name)
}

findings contains {
	"path": pointer.of(["reports", newest.index, "branch"]),
	"message": sprintf("the newest report is of the branch %v", [say.value(branch)]),
} if {
	newest := reports.newest(input.repository, input.reports)
	branch := newest.report.branch
	not branch in _branches
}

_branches := [input.repository.branch] if input.repository.branch

else := params.value("readiness_branches")

_names(report, name) if {
	is_string(report[name])
	report[name] != ""
}
