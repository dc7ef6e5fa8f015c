# METADATA
# title: "The proxy ports of the sandbox can work"
# description: >-
#   A proxy on an impossible port, or two on one, leaves the sandbox without the network it was given.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.sbx008

import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "The proxy ports of the sandbox can work"
# description: >-
#   Fires for an httpProxyPort or socksProxyPort that is not a whole number from 1 to 65535, and for two
#   that are equal.
# scope: document
# custom:
#   id: SBX008
#   severity: low
#   input: settings
#   default: false
#   remediation: >-
#     Give each proxy a port of its own, or remove the property.
#   requires:
#     - /settings/sandbox/network
#   tags:
#     - sandbox
#     - network
#   since: "0.1"
findings contains {
	"path": pointer.of(["settings", "sandbox", "network", name]),
	"message": sprintf("%v is %v, not a port from 1 to 65535", [name, say.value(port)]),
} if {
	some name in ["httpProxyPort", "socksProxyPort"]
	port := input.settings.sandbox.network[name]
	not _is_port(port)
}

findings contains {
	"path": "/settings/sandbox/network/socksProxyPort",
	"message": sprintf("httpProxyPort and socksProxyPort are both %v", [say.value(port)]),
} if {
	port := input.settings.sandbox.network.socksProxyPort
	port == input.settings.sandbox.network.httpProxyPort
}

_is_port(port) if {
	is_number(port)
	port == floor(port)
	port >= 1
	port <= 65535
}
