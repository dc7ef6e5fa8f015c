# METADATA
# title: "The newest report was made by a current agent"
# description: >-
#   Criteria change between versions of the agent, and so do its mistakes.
# scope: package
# schemas:
#   - input: schema.readiness
package govctl.readiness.rdy009

import data.govctl.lib.fields
import data.govctl.lib.params
import data.govctl.lib.pointer
import data.govctl.lib.reports
import data.govctl.lib.say

# METADATA
# title: "The newest report was made by a current agent"
# description: >-
#   Fires when agentVersion of the newest report is absent, no semantic version, or lower than the
#   parameter readiness_min_agent_version.
# scope: document
# custom:
#   id: RDY009
#   severity: low
#   input: readiness
#   default: false
#   remediation: Update the agent and have the repository evaluated again.
#   requires:
#     - /reports/0
#     - /repository
#   tags:
#     - readiness
#     - comparable
#   since: "0.1"
findings contains {
	"path": pointer.of(["reports", newest.index, "agentVersion"]),
	"message": sprintf(
		"the newest report was made by version %v of the agent, and %v is the least",
		[say.value(version), least],
	),
} if {
	newest := reports.newest(input.repository, input.reports)
	version := fields.of(newest.report, "agentVersion", null)
	least := params.value("readiness_min_agent_version")
	not _current(version, least)
}

_current(version, least) if {
	is_string(version)
	bare := trim_prefix(version, "v")
	semver.is_valid(bare)
	semver.compare(bare, least) >= 0
}
