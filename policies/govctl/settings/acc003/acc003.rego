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
	"message": sprintf("%v is %v", [say.value(entry), reason]),
} if {
	entries := input.settings.networkPolicy.allowedIps
	not _narrow(entries)
	some i, entry in entries
	is_string(entry)
	reason := _reason(_network(entry), _narrowest(entry))
}

findings contains problem if {
	some problem in lists.problems(input.settings.networkPolicy.allowedIps, ["settings", "networkPolicy", "allowedIps"])
}

_reason(network, narrowest) := "not an address or a network in CIDR form" if not net.cidr_is_valid(network)

else := sprintf("wider than a /%v", [narrowest]) if to_number(split(network, "/")[1]) < narrowest

# A single address is a network of one.
_network(entry) := entry if contains(entry, "/")

else := concat("/", [entry, "128"]) if contains(entry, ":")

else := concat("/", [entry, "32"])

_narrowest(entry) := params.value("min_prefix_ipv6") if contains(entry, ":")

else := params.value("min_prefix_ipv4")

# Whether all are IPv4 networks with a long enough prefix, which three calls tell of all at once.
_narrow(entries) if {
	lists.only_texts(entries)
	lines := concat("", [concat("\n", entries), "\n"])
	regex.match(_ipv4, lines)
	least := params.value("min_prefix_ipv4")
	every length in regex.find_n(`/[0-9]+`, lines, -1) {
		to_number(substring(length, 1, -1)) >= least
	}
}

_ipv4 := concat("", [`^((`, _octet, `[.]){3}`, _octet, `/([12]?[0-9]|3[0-2])\n)*$`])

_octet := `([1-9]?[0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])`
