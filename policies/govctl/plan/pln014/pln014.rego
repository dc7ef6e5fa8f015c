# METADATA
# title: "No session is moved to a refused model"
# description: A change of a session is a way around the model policy.
# scope: package
# schemas:
#   - input: schema.plan
package govctl.plan.pln014

import data.govctl.lib.changes
import data.govctl.lib.models
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "No session is moved to a refused model"
# description: >-
#   Fires for a session change that sets model or spec_mode_model to a model that modelPolicy refuses.
#   Plans change no tools of sessions.
# scope: document
# custom:
#   id: PLN014
#   severity: medium
#   input: plan
#   default: true
#   remediation: Choose an allowed model.
#   requires:
#     - /plan/changes
#     - /settings/modelPolicy
#   tags:
#     - sessions
#     - models
#   since: "0.1"
findings contains {
	"path": pointer.of(["plan", "changes", i, "fields", j, "after"]),
	"message": sprintf(
		"session %v moves to model %v, which is %v",
		[say.value(change.key), say.value(field.after), reason],
	),
	"subject": say.name(change.key),
} if {
	input.settings.modelPolicy
	some i, change in changes.objects
	change.kind == "session"
	some j, field in change.fields
	field.name in {"model", "spec_mode_model"}
	reason := _reason(field.after)
}

_reason(model) := "no text" if not is_string(model)

else := models.refusal(input.settings, model)
