# METADATA
# title: "The timeout of a hook makes sense"
# description: A hook that never ends holds up the agent.
# scope: package
# schemas:
#   - input: schema.hooks
package govctl.hooks.hok003

import data.govctl.lib.hook_file
import data.govctl.lib.params
import data.govctl.lib.say

# METADATA
# title: "The timeout of a hook makes sense"
# description: >-
#   Fires for a timeout that is not a number above zero, or above the parameter hook_timeout_max. The
#   unit is not stated, so only what is absurd in seconds and in milliseconds fires, and an absent
#   timeout does not.
# scope: document
# custom:
#   id: HOK003
#   severity: low
#   input: hooks
#   default: true
#   remediation: >-
#     Write a small number, or leave the timeout out.
#   requires:
#     - /hooks
#   tags:
#     - hooks
#   since: "0.1"
findings contains {
	"path": concat("", [hook.path, "/timeout"]),
	"message": sprintf("the timeout is %v, which makes no sense in any unit", [say.value(timeout)]),
} if {
	some hook in hook_file.items(input.hooks)
	timeout := hook.item.timeout
	not _sensible(timeout)
}

_sensible(timeout) if {
	is_number(timeout)
	timeout > 0
	timeout <= params.value("hook_timeout_max")
}
