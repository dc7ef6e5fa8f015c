# METADATA
# title: "No credential is written out in a header of a custom model"
# description: >-
#   An authorization header is a key under another name, and settings keep their history for ever.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.key002

import data.govctl.lib.custom_models
import data.govctl.lib.pointer
import data.govctl.lib.say
import data.govctl.lib.secrets

# METADATA
# title: "No credential is written out in a header of a custom model"
# description: >-
#   Fires when a header of a custom model has a name that says its value is secret and a value that is
#   neither empty nor a reference.
# scope: document
# custom:
#   id: KEY002
#   severity: critical
#   input: settings
#   default: true
#   remediation: >-
#     Rotate the credential, then write a reference to an environment variable in its place.
#   requires:
#     - /settings/customModels
#   tags:
#     - secrets
#     - models
#   since: "0.1"
findings contains {
	"path": pointer.of(["settings", "customModels", i, "extraHeaders", name]),
	"message": sprintf(
		"custom model %v has the value of the header %v written out",
		[custom_models.label(model, i), say.value(name)],
	),
} if {
	some i, model in input.settings.customModels
	some name, value in model.extraHeaders
	secrets.named(sprintf("%v", [name]))
	not secrets.absent(value)
	not secrets.reference(value)
}

findings contains {
	"path": pointer.of(["settings", "customModels", i, "extraHeaders"]),
	"message": sprintf(
		"the extraHeaders of custom model %v are %v, not an object, so they cannot be judged",
		[custom_models.label(model, i), say.value(headers)],
	),
} if {
	some i, model in input.settings.customModels
	headers := model.extraHeaders
	not is_object(headers)
}

findings contains problem if {
	some problem in custom_models.problems(input.settings.customModels, ["settings", "customModels"])
}
