# METADATA
# title: "No key is written out in a custom model"
# description: >-
#   Settings keep their history for ever and are sent to clients, so a key in them is no secret any
#   more.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.key001

import data.govctl.lib.custom_models
import data.govctl.lib.pointer
import data.govctl.lib.secrets

# METADATA
# title: "No key is written out in a custom model"
# description: >-
#   Fires when the apiKey of a custom model is neither empty nor a reference such as ${NAME} or
#   env:NAME. The value itself never reaches a rule.
# scope: document
# related_resources:
#   - ref: https://cheatsheetseries.owasp.org/cheatsheets/Secrets_Management_Cheat_Sheet.html
#     description: "OWASP Secrets Management Cheat Sheet"
# custom:
#   id: KEY001
#   severity: critical
#   input: settings
#   default: true
#   remediation: >-
#     Rotate the key, then write a reference to an environment variable in its place.
#   requires:
#     - /settings/customModels
#   tags:
#     - secrets
#     - models
#   since: "0.1"
findings contains {
	"path": pointer.of(["settings", "customModels", i, "apiKey"]),
	"message": sprintf(
		"custom model %v has its apiKey written out, readable in every revision of the settings",
		[custom_models.label(model, i)],
	),
} if {
	some i, model in input.settings.customModels
	key := model.apiKey
	not secrets.absent(key)
	not secrets.reference(key)
}

findings contains problem if {
	some problem in custom_models.problems(input.settings.customModels, ["settings", "customModels"])
}
