# METADATA
# title: "Custom models lie inside the allowed URLs"
# description: >-
#   A model outside the allowed addresses is a way around the gateway that logs and filters.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.mdl002

import data.govctl.lib.custom_models
import data.govctl.lib.lists
import data.govctl.lib.pointer
import data.govctl.lib.say
import data.govctl.lib.secrets
import data.govctl.lib.urls

# METADATA
# title: "Custom models lie inside the allowed URLs"
# description: >-
#   Fires when the baseUrl of a custom model is not at or below an entry of allowedBaseUrls, compared by
#   scheme, host, port and whole path segments. An empty list is MDL003's matter.
# scope: document
# custom:
#   id: MDL002
#   severity: high
#   input: settings
#   default: true
#   remediation: >-
#     Change the model to an allowed address, or have the address added.
#   requires:
#     - /settings/customModels
#     - /settings/modelPolicy/allowedBaseUrls
#   tags:
#     - models
#     - network
#   since: "0.1"
findings contains {
	"path": pointer.of(["settings", "customModels", i, "baseUrl"]),
	"message": sprintf(
		"custom model %v is reached at %v, outside allowedBaseUrls",
		[custom_models.label(model, i), say.value(url)],
	),
} if {
	allowed := lists.texts(input.settings.modelPolicy.allowedBaseUrls)
	count(allowed) > 0
	some i, model in input.settings.customModels
	url := model.baseUrl
	not secrets.absent(url)
	not _inside_any(url, allowed)
}

findings contains problem if {
	some problem in lists.problems(
		input.settings.modelPolicy.allowedBaseUrls,
		["settings", "modelPolicy", "allowedBaseUrls"],
	)
}

findings contains problem if {
	some problem in custom_models.problems(input.settings.customModels, ["settings", "customModels"])
}

_inside_any(url, allowed) if {
	some base in allowed
	urls.inside(url, base)
}
