# METADATA
# title: "Custom models are reached over TLS"
# description: >-
#   Over plain HTTP everybody on the way reads prompts, code and keys, and can answer in the model's
#   place.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.mdl001

import data.govctl.lib.custom_models
import data.govctl.lib.fields
import data.govctl.lib.pointer
import data.govctl.lib.say
import data.govctl.lib.secrets
import data.govctl.lib.urls

# METADATA
# title: "Custom models are reached over TLS"
# description: >-
#   Fires when baseUrl or bedrockBaseUrl of a custom model is not an absolute https URL. Plain http to
#   the own machine passes.
# scope: document
# custom:
#   id: MDL001
#   severity: high
#   input: settings
#   default: true
#   remediation: Use the https address of the model.
#   requires:
#     - /settings/customModels
#   tags:
#     - models
#     - network
#   since: "0.1"
findings contains {
	"path": pointer.of(array.concat(["settings", "customModels", i], at)),
	"message": sprintf(
		"custom model %v is reached at %v, which is not an https URL",
		[custom_models.label(model, i), say.value(url)],
	),
} if {
	some i, model in input.settings.customModels
	is_object(model)
	some at in [["baseUrl"], ["bedrock", "bedrockBaseUrl"]]
	url := fields.of(model, at, "")
	not secrets.absent(url)
	not _safe(url)
}

findings contains problem if {
	some problem in custom_models.problems(input.settings.customModels, ["settings", "customModels"])
}

_safe(url) if urls.parts(url).scheme == "https"

_safe(url) if {
	parts := urls.parts(url)
	parts.scheme == "http"
	urls.loopback(parts.host)
}
