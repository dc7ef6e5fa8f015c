# METADATA
# title: "No refused model was used"
# description: A model that was used although it is refused shows that the refusal has a hole.
# scope: package
# schemas:
#   - input: schema.usage
package govctl.usage.use004

import data.govctl.lib.groups
import data.govctl.lib.models
import data.govctl.lib.say

# METADATA
# title: "No refused model was used"
# description: >-
#   Fires once for each model that modelPolicy blocks or does not allow and that somebody used. The
#   policy may have been another on that day, and exceptions of single members are not looked at.
# scope: document
# custom:
#   id: USE004
#   severity: high
#   input: usage
#   default: true
#   remediation: >-
#     Find out who used the model and how, then close the way.
#   requires:
#     - /settings/modelPolicy
#   tags:
#     - usage
#     - models
#   since: "0.1"
findings contains {
	"path": min(paths),
	"message": sprintf("model %v was used and is %v", [say.value(model), reason]),
	"subject": model,
} if {
	input.settings.modelPolicy
	some model, paths in _paths
	reason := models.refusal(input.settings, model)
}

findings contains {
	"path": min(paths),
	"message": sprintf("the model that was used is %v, not a text, so it cannot be judged", [say.value(model)]),
} if {
	input.settings.modelPolicy
	some model, paths in _paths
	not is_string(model)
}

_paths := groups.of(array.concat(
	[[row.primary_model, sprintf("/users/%d/primary_model", [i])] | some i, row in input.users],
	[[item.model_id, sprintf("/tokens/%d/by_model/%d/model_id", [i, j])] |
		some i, row in input.tokens
		some j, item in row.by_model
	],
))
