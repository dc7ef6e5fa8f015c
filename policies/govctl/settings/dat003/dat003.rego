# METADATA
# title: "Commits name the agent as co-author"
# description: >-
#   A co-author line is the only mark by which reviewers see which commits the agent wrote.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.dat003

import data.govctl.lib.say

# METADATA
# title: "Commits name the agent as co-author"
# description: Fires when includeCoAuthoredByAgent is anything but true.
# scope: document
# custom:
#   id: DAT003
#   severity: info
#   input: settings
#   default: false
#   remediation: Turn includeCoAuthoredByAgent on.
#   requires:
#     - /settings/includeCoAuthoredByAgent
#   tags:
#     - attribution
#   since: "0.1"
findings contains {
	"path": "/settings/includeCoAuthoredByAgent",
	"message": sprintf(
		"includeCoAuthoredByAgent is %v, so commits do not show the agent's part",
		[say.value(included)],
	),
} if {
	included := input.settings.includeCoAuthoredByAgent
	included != true
}
