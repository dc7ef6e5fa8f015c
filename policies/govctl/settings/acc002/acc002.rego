# METADATA
# title: "Members do not see the whole directory"
# description: The list of all members tells an intruder whom to write to.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.acc002

import data.govctl.lib.say

# METADATA
# title: "Members do not see the whole directory"
# description: Fires when restrictMemberVisibility is anything but true.
# scope: document
# custom:
#   id: ACC002
#   severity: low
#   input: settings
#   default: false
#   remediation: Restrict the visibility of members.
#   requires:
#     - /settings/restrictMemberVisibility
#   tags:
#     - access
#     - privacy
#   since: "0.1"
findings contains {
	"path": "/settings/restrictMemberVisibility",
	"message": sprintf(
		"restrictMemberVisibility is %v, so every member may see the others",
		[say.value(restricted)],
	),
} if {
	restricted := input.settings.restrictMemberVisibility
	restricted != true
}
