# METADATA
# title: "The required hooks are there"
# description: An audit trail that ends where somebody removed a hook is none.
# scope: package
# schemas:
#   - input: schema.hooks
package govctl.hooks.hok004

import data.govctl.lib.hook_file
import data.govctl.lib.params
import data.govctl.lib.say

# METADATA
# title: "The required hooks are there"
# description: >-
#   Fires when an event of the parameter required_hook_events has no hook with a command. By default no
#   event is required.
# scope: document
# custom:
#   id: HOK004
#   severity: medium
#   input: hooks
#   default: true
#   remediation: Add the hook for the event.
#   requires:
#     - /hooks
#   tags:
#     - hooks
#     - audit
#   since: "0.1"
findings contains {
	"path": "/hooks",
	"message": sprintf("no hook runs on %v", [say.list(missing)]),
} if {
	hooks := input.hooks
	covered := {hook.event | some hook in hook_file.items(hooks); is_string(hook.item.command); hook.item.command != ""}
	missing := {e | some e in params.value("required_hook_events")} - covered
	count(missing) > 0
}
