# METADATA
# title: "Custom models are limited to named URLs"
# description: Custom models without a list of addresses let anybody send code to any server.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.mdl003

import data.govctl.lib.fields
import data.govctl.lib.lists
import data.govctl.lib.say

# METADATA
# title: "Custom models are limited to named URLs"
# description: >-
#   Fires when allowCustomModels is anything but false and allowedBaseUrls is absent, null, empty or no
#   list. What an empty list means is not stated; it is read as no limit.
# scope: document
# custom:
#   id: MDL003
#   severity: medium
#   input: settings
#   default: true
#   remediation: >-
#     List the addresses of your model gateways in allowedBaseUrls, or set allowCustomModels to false.
#   requires:
#     - /settings/modelPolicy/allowCustomModels
#   tags:
#     - models
#     - network
#   since: "0.1"
findings contains {
	"path": "/settings/modelPolicy/allowCustomModels",
	"message": sprintf(
		"allowCustomModels is %v and allowedBaseUrls %v, so custom models may be anywhere",
		[say.value(allowed), _state(policy)],
	),
} if {
	policy := input.settings.modelPolicy
	allowed := policy.allowCustomModels
	allowed != false
	count(lists.texts(fields.of(policy, "allowedBaseUrls", []))) == 0
}

_state(policy) := "is absent" if not "allowedBaseUrls" in object.keys(policy)

_state(policy) := sprintf("is %v", [say.value(policy.allowedBaseUrls)])
