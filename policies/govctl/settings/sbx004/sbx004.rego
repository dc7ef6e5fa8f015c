# METADATA
# title: "The sandbox does not open sockets of container runtimes and agents"
# description: >-
#   Whoever can talk to the socket of a container runtime is root, and an agent socket lends out its
#   keys.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.sbx004

import data.govctl.lib.lists
import data.govctl.lib.params
import data.govctl.lib.paths
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "The sandbox does not open sockets of container runtimes and agents"
# description: >-
#   Fires for an allowed unix socket whose file name matches a pattern of the parameter
#   dangerous_sockets, and for an entry with a wildcard, which may cover one.
# scope: document
# custom:
#   id: SBX004
#   severity: high
#   input: settings
#   default: true
#   remediation: Remove the socket; give the agent a narrower way to what it needs.
#   requires:
#     - /settings/sandbox/network/allowUnixSockets
#   tags:
#     - sandbox
#     - network
#   since: "0.1"
findings contains {
	"path": pointer.of(["settings", "sandbox", "network", "allowUnixSockets", i]),
	"message": sprintf(
		"the sandbox may use the socket %v, which can give more rights than the sandbox takes",
		[say.value(socket)],
	),
} if {
	sockets := input.settings.sandbox.network.allowUnixSockets
	named := lists.globbed(paths.names(sockets), params.value("dangerous_sockets"))
	some i in (named | lists.globbed(sockets, [`*\**`]))
	socket := sockets[i]
}

findings contains problem if {
	some problem in lists.problems(
		input.settings.sandbox.network.allowUnixSockets,
		["settings", "sandbox", "network", "allowUnixSockets"],
	)
}
