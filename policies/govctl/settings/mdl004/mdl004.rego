# METADATA
# title: "No model is both allowed and blocked"
# description: >-
#   Which list wins is not stated, so nobody can say whether the model may be used.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.mdl004

import data.govctl.lib.lists
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "No model is both allowed and blocked"
# description: Fires for a model id that stands in allowedModelIds and in blockedModelIds.
# scope: document
# custom:
#   id: MDL004
#   severity: medium
#   input: settings
#   default: true
#   remediation: Keep the model in one of the two lists.
#   requires:
#     - /settings/modelPolicy/allowedModelIds
#     - /settings/modelPolicy/blockedModelIds
#   tags:
#     - models
#   since: "0.1"
findings contains {
	"path": pointer.of(["settings", "modelPolicy", "blockedModelIds", i]),
	"message": sprintf("model %v is allowed and blocked", [say.value(id)]),
} if {
	both := lists.common(input.settings.modelPolicy.allowedModelIds, input.settings.modelPolicy.blockedModelIds)
	count(both) > 0
	some i, id in input.settings.modelPolicy.blockedModelIds
	id in both
}

findings contains problem if {
	some name in ["allowedModelIds", "blockedModelIds"]
	some problem in lists.problems(input.settings.modelPolicy[name], ["settings", "modelPolicy", name])
}
