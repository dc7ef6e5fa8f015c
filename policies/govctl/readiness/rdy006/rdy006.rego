# METADATA
# title: "The newest report was made on a clean commit"
# description: What was evaluated with local changes nobody else can evaluate again.
# scope: package
# schemas:
#   - input: schema.readiness
package govctl.readiness.rdy006

import data.govctl.lib.pointer
import data.govctl.lib.reports
import data.govctl.lib.say

# METADATA
# title: "The newest report was made on a clean commit"
# description: >-
#   Fires when hasLocalChanges or hasNonRemoteCommits of the newest report is there and anything but
#   false. Both are optional, and an absent one says nothing.
# scope: document
# custom:
#   id: RDY006
#   severity: medium
#   input: readiness
#   default: true
#   remediation: >-
#     Commit and push, then have the repository evaluated again.
#   requires:
#     - /reports/0
#     - /repository
#   tags:
#     - readiness
#     - reproducible
#   since: "0.1"
findings contains {
	"path": pointer.of(["reports", newest.index, flag]),
	"message": sprintf("%v is %v, so the report cannot be reproduced from its commit", [flag, say.value(value)]),
} if {
	newest := reports.newest(input.repository, input.reports)
	some flag in ["hasLocalChanges", "hasNonRemoteCommits"]
	value := newest.report[flag]
	value != false
}
