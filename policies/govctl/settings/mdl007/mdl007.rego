# METADATA
# title: "Custom models can be told apart and used"
# description: >-
#   Two models with one id, or a model without room for tokens, make sessions run on something else than
#   chosen.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.mdl007

import data.govctl.lib.custom_models
import data.govctl.lib.fields
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "Custom models can be told apart and used"
# description: >-
#   Fires for a custom model whose id or index another one has, whose maxContextLimit or maxOutputTokens
#   is not above zero, or that thinks with thinkingMaxTokens not above zero.
# scope: document
# custom:
#   id: MDL007
#   severity: low
#   input: settings
#   default: false
#   remediation: Give each model an id and index of its own and limits above zero.
#   requires:
#     - /settings/customModels
#   tags:
#     - models
#   since: "0.1"
findings contains {
	"path": pointer.of(["settings", "customModels", i, name]),
	"message": sprintf(
		"custom model %v has the %v %v, which an earlier one has too",
		[custom_models.label(model, i), name, say.value(model[name])],
	),
} if {
	some name in ["id", "index"]
	some i, model in input.settings.customModels
	some j, other in input.settings.customModels
	j < i
	model[name] == other[name]
}

findings contains {
	"path": pointer.of(["settings", "customModels", i, name]),
	"message": sprintf(
		"custom model %v has %v %v, which is not above zero",
		[custom_models.label(model, i), name, say.value(limit)],
	),
} if {
	some i, model in input.settings.customModels
	is_object(model)
	some name in _limits(model)
	limit := model[name]
	not _positive(limit)
}

findings contains problem if {
	some problem in custom_models.problems(input.settings.customModels, ["settings", "customModels"])
}

_limits(model) := ["maxContextLimit", "maxOutputTokens", "thinkingMaxTokens"] if {
	fields.of(model, "enableThinking", false) != false
}

else := ["maxContextLimit", "maxOutputTokens"]

_positive(limit) if {
	is_number(limit)
	limit > 0
}
