# METADATA
# title: "No exception of a member names a blocked model"
# description: An exception for one person can open what is closed for everybody.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.mdl008

import data.govctl.lib.lists
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "No exception of a member names a blocked model"
# description: >-
#   Fires when a text anywhere in userModelPolicies is a blocked model id, except below a name that says
#   block or deny. The shape of userModelPolicies is not stated, so this is a hint where to look and no
#   proof of access.
# scope: document
# custom:
#   id: MDL008
#   severity: medium
#   input: settings
#   default: false
#   remediation: Check the exception and remove the model from it if it opens anything.
#   requires:
#     - /settings/userModelPolicies
#     - /settings/modelPolicy/blockedModelIds
#   tags:
#     - models
#   since: "0.1"
findings contains {
	"path": pointer.of(array.concat(["settings", "userModelPolicies"], at)),
	"message": sprintf("userModelPolicies names the model %v, which is blocked for everybody", [say.value(model)]),
} if {
	blocked := lists.texts(input.settings.modelPolicy.blockedModelIds)
	walk(input.settings.userModelPolicies, [at, model])
	model in blocked
	not _closes(at)
}

findings contains problem if {
	some problem in lists.problems(
		input.settings.modelPolicy.blockedModelIds,
		["settings", "modelPolicy", "blockedModelIds"],
	)
}

_closes(at) if {
	some name in at
	regex.match(`(?i)(block|den[iy])`, sprintf("%v", [name]))
}
