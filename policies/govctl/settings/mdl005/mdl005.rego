# METADATA
# title: "The list of allowed models has an effect"
# description: A list that another switch overrides looks like a limit and is none.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.mdl005

import data.govctl.lib.say

# METADATA
# title: "The list of allowed models has an effect"
# description: >-
#   Fires when allowAllServiceModels is anything but false while allowedModelIds is not empty.
# scope: document
# custom:
#   id: MDL005
#   severity: medium
#   input: settings
#   default: true
#   remediation: >-
#     Set allowAllServiceModels to false, or empty allowedModelIds.
#   requires:
#     - /settings/modelPolicy/allowAllServiceModels
#     - /settings/modelPolicy/allowedModelIds
#   tags:
#     - models
#   since: "0.1"
findings contains {
	"path": "/settings/modelPolicy/allowAllServiceModels",
	"message": sprintf(
		"allowAllServiceModels is %v, so allowedModelIds with %v limits nothing",
		[say.value(all), say.value(allowed)],
	),
} if {
	all := input.settings.modelPolicy.allowAllServiceModels
	all != false
	allowed := input.settings.modelPolicy.allowedModelIds
	not allowed in [[], null]
}
