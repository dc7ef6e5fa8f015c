# METADATA
# title: "Own machines may join only for named people"
# description: >-
#   With an open door any machine of any member runs sessions, patched or not.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.acc005

import data.govctl.lib.lists
import data.govctl.lib.say

# METADATA
# title: "Own machines may join only for named people"
# description: >-
#   Fires when byomComputersEnabled is anything but false and byomComputersAllowedEmails is empty,
#   absent, null or no list. What an empty list means is not stated; it is read as everybody.
# scope: document
# custom:
#   id: ACC005
#   severity: medium
#   input: settings
#   default: true
#   remediation: >-
#     Name the people who may bring a machine, or set byomComputersEnabled to false.
#   requires:
#     - /settings/byomComputersEnabled
#   tags:
#     - access
#     - computers
#   since: "0.1"
findings contains {
	"path": "/settings/byomComputersEnabled",
	"message": sprintf(
		"byomComputersEnabled is %v and byomComputersAllowedEmails names nobody, so any member may add a machine",
		[say.value(enabled)],
	),
} if {
	enabled := input.settings.byomComputersEnabled
	enabled != false
	not _names_somebody
}

_names_somebody if count(lists.texts(input.settings.byomComputersAllowedEmails)) > 0
