# METADATA
# title: "Missions are open to named people only"
# description: >-
#   A mission works on its own for long, so who may start one is worth a list.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.acc007

import data.govctl.lib.lists
import data.govctl.lib.members
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "Missions are open to named people only"
# description: >-
#   Fires when missionPolicy.restrictedAccess is anything but true, and for an id in allowedUserIds that
#   no member has, where the whole member list was read.
# scope: document
# custom:
#   id: ACC007
#   severity: medium
#   input: settings
#   default: true
#   remediation: Restrict missions and name the members who may start one.
#   requires:
#     - /settings/missionPolicy/restrictedAccess
#   tags:
#     - access
#     - autonomy
#   since: "0.1"
findings contains {
	"path": "/settings/missionPolicy/restrictedAccess",
	"message": sprintf(
		"missionPolicy.restrictedAccess is %v, so missions are open to everybody",
		[say.value(restricted)],
	),
} if {
	restricted := input.settings.missionPolicy.restrictedAccess
	restricted != true
}

findings contains {
	"path": pointer.of(["settings", "missionPolicy", "allowedUserIds", i]),
	"message": sprintf("%v may start missions and is the id of no member", [say.value(id)]),
} if {
	ids := lists.texts(input.settings.missionPolicy.allowedUserIds)
	unknown := members.unknown_ids(input.members, ids)
	some i, id in input.settings.missionPolicy.allowedUserIds
	id in unknown
}

findings contains problem if {
	some problem in lists.problems(
		input.settings.missionPolicy.allowedUserIds,
		["settings", "missionPolicy", "allowedUserIds"],
	)
}
