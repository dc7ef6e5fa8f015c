# METADATA
# title: Networks
# description: Judges addresses and networks in CIDR form.
package govctl.lib.networks

import data.govctl.lib.say

# METADATA
# description: >-
#   What is wrong with those texts of a list that are no networks or too wide ones, by their places. least has
#   the shortest prefix of IPv4 and of IPv6. A length that begins with 0 is refused: not everybody reads it so.
problems(entries, least) := {i: sprintf("%v is %v", [say.value(entry), reason]) |
	is_array(entries)
	some i, entry in entries
	is_string(entry)
	reason := _reason(_network(entry), least[_family(entry)])
}

_reason(network, least) := "not an address or a network in CIDR form" if not _well_formed(network)

else := sprintf("wider than a /%v", [least]) if to_number(split(network, "/")[1]) < least

_well_formed(network) if {
	net.cidr_is_valid(network)
	not regex.match(`/0[0-9]`, network)
}

_network(entry) := entry if contains(entry, "/")

else := concat("/", [entry, "128"]) if contains(entry, ":")

else := concat("/", [entry, "32"])

_family(entry) := "ipv6" if contains(entry, ":")

else := "ipv4"
