# METADATA
# title: "The sandbox is on"
# description: >-
#   Without the sandbox every command of the agent runs with all the rights of the person who started
#   it.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.sbx001

import data.govctl.lib.say

# METADATA
# title: "The sandbox is on"
# description: >-
#   Fires when sandbox.enabled is anything but true. An absent value is indeterminate, because the
#   service does not say what it means.
# scope: document
# custom:
#   id: SBX001
#   severity: critical
#   input: settings
#   default: true
#   remediation: Turn the sandbox on for the whole organization.
#   requires:
#     - /settings/sandbox/enabled
#   tags:
#     - sandbox
#   since: "0.1"
findings contains {
	"path": "/settings/sandbox/enabled",
	"message": sprintf("sandbox.enabled is %v, so commands of the agent run unconfined", [say.value(enabled)]),
} if {
	enabled := input.settings.sandbox.enabled
	enabled != true
}

findings contains {
	"path": "/settings/sandbox",
	"message": sprintf(
		"sandbox is %v, not an object, so nothing says that commands run confined",
		[say.value(sandbox)],
	),
} if {
	sandbox := input.settings.sandbox
	not is_object(sandbox)
}
