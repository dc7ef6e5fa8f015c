# METADATA
# title: "The models that sessions start on are allowed"
# description: >-
#   Sessions that start on a refused model fail, or show that the refusal does not work.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.mdl006

import data.govctl.lib.models
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "The models that sessions start on are allowed"
# description: >-
#   Fires when model or specModeModel of sessionDefaultSettings is blocked or not allowed by
#   modelPolicy. A custom model counts as allowed where custom models are.
# scope: document
# custom:
#   id: MDL006
#   severity: medium
#   input: settings
#   default: true
#   remediation: Choose an allowed model as the default.
#   requires:
#     - /settings/sessionDefaultSettings
#     - /settings/modelPolicy
#   tags:
#     - models
#   since: "0.1"
findings contains {
	"path": pointer.of(["settings", "sessionDefaultSettings", name]),
	"message": sprintf("sessions start with %v %v, which is %v", [name, say.value(model), reason]),
} if {
	input.settings.modelPolicy
	some name in ["model", "specModeModel"]
	model := input.settings.sessionDefaultSettings[name]
	reason := models.refusal(input.settings, model)
}

findings contains {
	"path": pointer.of(["settings", "sessionDefaultSettings", name]),
	"message": sprintf("%v of sessionDefaultSettings is %v, not the id of a model", [name, say.value(model)]),
} if {
	some name in ["model", "specModeModel"]
	model := input.settings.sessionDefaultSettings[name]
	not is_string(model)
}
