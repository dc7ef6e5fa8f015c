# METADATA
# title: "No credential hides in the arguments or URL of a custom model"
# description: >-
#   A key in a request argument or a password in a URL is stored, shown and logged like any other text.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.key003

import data.govctl.lib.custom_models
import data.govctl.lib.fields
import data.govctl.lib.pointer
import data.govctl.lib.say
import data.govctl.lib.secrets

# METADATA
# title: "No credential hides in the arguments or URL of a custom model"
# description: >-
#   Fires for a value in extraArgs that stands under a secret name or has the form of a key, and for a
#   user and password or a secret query parameter in baseUrl or bedrockBaseUrl. The form of a key is a
#   guess; waive what is none.
# scope: document
# custom:
#   id: KEY003
#   severity: high
#   input: settings
#   default: true
#   remediation: >-
#     Rotate the credential, then pass it by a reference to an environment variable.
#   requires:
#     - /settings/customModels
#   tags:
#     - secrets
#     - models
#   since: "0.1"
findings contains {
	"path": pointer.of(array.concat(["settings", "customModels", i, "extraArgs"], at)),
	"message": sprintf(
		"custom model %v has what looks like a credential in its extraArgs",
		[custom_models.label(model, i)],
	),
} if {
	some i, model in input.settings.customModels
	some at in _credentials(model.extraArgs)
}

findings contains {
	"path": pointer.of(array.concat(["settings", "customModels", i], at)),
	"message": sprintf("custom model %v has a credential in its URL", [custom_models.label(model, i)]),
} if {
	some i, model in input.settings.customModels
	is_object(model)
	some at in [["baseUrl"], ["bedrock", "bedrockBaseUrl"]]
	_opens(fields.of(model, at, ""))
}

findings contains {
	"path": pointer.of(["settings", "customModels", i, "extraArgs"]),
	"message": sprintf(
		"the extraArgs of custom model %v are %v, not an object, so they cannot be judged",
		[custom_models.label(model, i), say.value(arguments)],
	),
} if {
	some i, model in input.settings.customModels
	arguments := model.extraArgs
	not is_object(arguments)
}

findings contains problem if {
	some problem in custom_models.problems(input.settings.customModels, ["settings", "customModels"])
}

_credentials(arguments) := {at |
	walk(arguments, [at, value])
	count(at) > 0
	_credential(at, value)
}

# What govctl hid, and what a plain document shows.
_credential(_, value) if {
	is_object(value)
	secrets.literal(value)
}

_credential(at, value) if {
	is_string(value)
	secrets.named(sprintf("%v", [at[count(at) - 1]]))
	secrets.literal(value)
}

_credential(at, value) if {
	is_string(value)
	not "redacted" in at
	secrets.formed(value)
}

_opens(url) if {
	is_string(url)
	regex.match(`//[^/?#]*@`, url)
}

_opens(url) if {
	is_string(url)
	some parameter in regex.find_all_string_submatch_n(`[?#&;]([^=&#;]+)=[^&#;]`, url, -1)
	_grants(parameter[1])
}

_grants(name) if secrets.named(name)

_grants(name) if regex.match(`(?i)(^|[-_.])(key|sig|auth|pwd|pass|jwt)$`, name)
