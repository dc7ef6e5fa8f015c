# METADATA
# title: "No command of a custom model runs on every client"
# description: >-
#   awsAuthRefresh and awsCredentialExport are shell commands that the settings push to the machine of
#   every member.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.key004

import data.govctl.lib.custom_models
import data.govctl.lib.pointer
import data.govctl.lib.say
import data.govctl.lib.secrets

# METADATA
# title: "No command of a custom model runs on every client"
# description: >-
#   Fires when one of the two is set, because whoever may change the settings may then run programs
#   everywhere. Their text is hidden from rules.
# scope: document
# custom:
#   id: KEY004
#   severity: high
#   input: settings
#   default: true
#   remediation: Remove the command and let each client use credentials of its own.
#   requires:
#     - /settings/customModels
#   tags:
#     - secrets
#     - models
#   since: "0.1"
findings contains {
	"path": pointer.of(["settings", "customModels", i, "bedrock", name]),
	"message": sprintf(
		"custom model %v makes every client run the command in %v",
		[custom_models.label(model, i), name],
	),
} if {
	some i, model in input.settings.customModels
	some name in ["awsAuthRefresh", "awsCredentialExport"]
	command := model.bedrock[name]
	not secrets.absent(command)
}

findings contains {
	"path": pointer.of(["settings", "customModels", i, "bedrock"]),
	"message": sprintf(
		"the bedrock of custom model %v is %v, not an object, so it cannot be judged",
		[custom_models.label(model, i), say.value(bedrock)],
	),
} if {
	some i, model in input.settings.customModels
	bedrock := model.bedrock
	not is_null(bedrock)
	not is_object(bedrock)
}

findings contains problem if {
	some problem in custom_models.problems(input.settings.customModels, ["settings", "customModels"])
}
