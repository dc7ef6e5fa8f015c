# METADATA
# title: The sandbox is on
# description: Commands of the agent run confined.
# schemas:
#   - input: schema.settings
# custom:
#   id: SBX001
#   severity: critical
#   input: settings
#   remediation: Turn the sandbox on.
#   requires: [/settings/sandbox/enabled]
#   tags: [sandbox]
#   since: 0.1.0
package govctl.settings.sbx001

findings contains {"path": "/settings/sandbox/enabled", "message": "the sandbox is off"} if {
	not input.settings.sandbox.enabled
}
