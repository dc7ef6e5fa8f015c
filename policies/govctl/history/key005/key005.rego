# METADATA
# title: "Keys that left the settings are rotated"
# description: >-
#   A key that was ever written out stays readable in the history, also after it was removed.
# scope: package
# schemas:
#   - input: schema.history
package govctl.history.key005

import data.govctl.lib.custom_models
import data.govctl.lib.fields
import data.govctl.lib.pointer
import data.govctl.lib.secrets

# METADATA
# title: "Keys that left the settings are rotated"
# description: >-
#   Fires for a custom model whose apiKey was written out in one revision and is gone, empty or a
#   reference in the next. Models are matched by id, else by model and baseUrl. Values are hidden from
#   rules and a rule sees two revisions only, so it cannot tell whether the key has been rotated; waive
#   the finding when it has.
# scope: document
# custom:
#   id: KEY005
#   severity: critical
#   input: history
#   default: true
#   remediation: >-
#     Rotate the key, then waive the finding with the date on which that was done.
#   requires:
#     - /from/settings/customModels
#   tags:
#     - secrets
#     - models
#   since: "0.1"
findings contains {
	"path": pointer.of(["from", "settings", "customModels", i, "apiKey"]),
	"message": sprintf(
		"the apiKey of custom model %v was written out and stays readable in the history; rotate it",
		[custom_models.label(model, i)],
	),
} if {
	some i, model in input.from.settings.customModels
	secrets.literal(model.apiKey)
	not _still_there(model)
}

findings contains problem if {
	some problem in custom_models.problems(input.from.settings.customModels, ["from", "settings", "customModels"])
}

_still_there(model) if {
	some other in input.to.settings.customModels
	secrets.literal(other.apiKey)
	_same(model, other)
}

_same(model, other) if {
	fields.of(model, "id", "") != ""
	model.id == other.id
}

_same(model, other) if {
	fields.of(model, "id", "") == ""
	object.filter(model, ["model", "baseUrl"]) == object.filter(other, ["model", "baseUrl"])
}
