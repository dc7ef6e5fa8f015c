# METADATA
# title: "The sandbox does not open every unix socket"
# description: >-
#   Sockets of container runtimes and agents give their user the rights of whoever listens.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.sbx003

import data.govctl.lib.say

# METADATA
# title: "The sandbox does not open every unix socket"
# description: Fires when sandbox.network.allowAllUnixSockets is anything but false.
# scope: document
# custom:
#   id: SBX003
#   severity: high
#   input: settings
#   default: true
#   remediation: Set allowAllUnixSockets to false and list the sockets that are needed.
#   requires:
#     - /settings/sandbox/network/allowAllUnixSockets
#   tags:
#     - sandbox
#     - network
#   since: "0.1"
findings contains {
	"path": "/settings/sandbox/network/allowAllUnixSockets",
	"message": sprintf(
		"allowAllUnixSockets is %v, so the sandbox can be left through any socket",
		[say.value(all)],
	),
} if {
	all := input.settings.sandbox.network.allowAllUnixSockets
	all != false
}
