# METADATA
# title: "Only managers create API keys"
# description: >-
#   A key of a member outlives the session it was made for and acts for the whole organization.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.acc001

import data.govctl.lib.say

# METADATA
# title: "Only managers create API keys"
# description: Fires when restrictApiKeyCreationToManagers is anything but true.
# scope: document
# custom:
#   id: ACC001
#   severity: high
#   input: settings
#   default: true
#   remediation: Restrict the creation of API keys to managers.
#   requires:
#     - /settings/restrictApiKeyCreationToManagers
#   tags:
#     - access
#   since: "0.1"
findings contains {
	"path": "/settings/restrictApiKeyCreationToManagers",
	"message": sprintf(
		"restrictApiKeyCreationToManagers is %v, so every member may create API keys",
		[say.value(restricted)],
	),
} if {
	restricted := input.settings.restrictApiKeyCreationToManagers
	restricted != true
}
