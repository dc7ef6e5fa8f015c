# METADATA
# title: "The allowed networks are narrow and well formed"
# description: >-
#   A network that holds half the internet is no boundary, and one that cannot be read may be none.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.acc003

import data.govctl.lib.lists
import data.govctl.lib.networks
import data.govctl.lib.params
import data.govctl.lib.pointer

# METADATA
# title: "The allowed networks are narrow and well formed"
# description: >-
#   Fires for an entry of allowedIps that is no address or network in CIDR form, or whose prefix is
#   shorter than the parameters min_prefix_ipv4 and min_prefix_ipv6.
# scope: document
# custom:
#   id: ACC003
#   severity: high
#   input: settings
#   default: true
#   remediation: >-
#     List the networks you own, as narrow as they are.
#   requires:
#     - /settings/networkPolicy/allowedIps
#   tags:
#     - access
#     - network
#   since: "0.1"
findings contains {
	"path": pointer.of(["settings", "networkPolicy", "allowedIps", i]),
	"message": message,
} if {
	some i, message in networks.problems(input.settings.networkPolicy.allowedIps, {
		"ipv4": params.value("min_prefix_ipv4"),
		"ipv6": params.value("min_prefix_ipv6"),
	})
}

findings contains problem if {
	some problem in lists.problems(input.settings.networkPolicy.allowedIps, ["settings", "networkPolicy", "allowedIps"])
}
