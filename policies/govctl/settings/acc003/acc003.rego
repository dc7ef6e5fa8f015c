# METADATA
# title: "The allowed networks are narrow and well formed"
# description: >-
#   A network that holds half the internet is no boundary, and one that cannot be read may be none.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.acc003

import data.govctl.lib.lists
import data.govctl.lib.params
import data.govctl.lib.pointer
import data.govctl.lib.say

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
	"message": sprintf("%v is not an address or a network in CIDR form", [say.value(entry)]),
} if {
	some i, entry in input.settings.networkPolicy.allowedIps
	is_string(entry)
	not net.cidr_is_valid(_network(entry))
}

findings contains {
	"path": pointer.of(["settings", "networkPolicy", "allowedIps", i]),
	"message": sprintf("%v is wider than a /%v", [say.value(entry), _narrowest(entry)]),
} if {
	some i, entry in input.settings.networkPolicy.allowedIps
	is_string(entry)
	net.cidr_is_valid(_network(entry))
	to_number(split(_network(entry), "/")[1]) < _narrowest(entry)
}

findings contains problem if {
	some problem in lists.problems(input.settings.networkPolicy.allowedIps, ["settings", "networkPolicy", "allowedIps"])
}

# A single address is a network of one.
_network(entry) := entry if contains(entry, "/")

else := concat("/", [entry, "128"]) if contains(entry, ":")

else := concat("/", [entry, "32"])

_narrowest(entry) := params.value("min_prefix_ipv6") if contains(entry, ":")

else := params.value("min_prefix_ipv4")
