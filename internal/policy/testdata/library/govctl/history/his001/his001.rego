# METADATA
# title: The sandbox was not turned off
# custom:
#   id: HIS001
#   severity: high
#   input: history
#   remediation: Ask who turned it off.
package govctl.history.his001

findings contains {"path": "/to/settings/sandbox/enabled", "message": "the sandbox was turned off"} if {
	input.from.settings.sandbox.enabled
	not input.to.settings.sandbox.enabled
}
