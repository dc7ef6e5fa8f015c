# METADATA
# title: "The sandbox reaches no domain that anybody can publish on"
# description: >-
#   A sandbox that may talk to everything, or to a paste or tunnel service, does not stop data from
#   leaving.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.sbx002

import data.govctl.lib.hosts
import data.govctl.lib.lists
import data.govctl.lib.params
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "The sandbox reaches no domain that anybody can publish on"
# description: >-
#   Fires for an allowed domain that is a wildcard over a whole top-level domain or more, a bare
#   top-level domain, or inside a domain of the parameter exfiltration_domains.
# scope: document
# custom:
#   id: SBX002
#   severity: high
#   input: settings
#   default: true
#   remediation: >-
#     List the hosts the agent needs, one by one, or a wildcard below a domain of your own.
#   requires:
#     - /settings/sandbox/network/allowedDomains
#   tags:
#     - sandbox
#     - network
#   since: "0.1"
findings contains {
	"path": pointer.of(["settings", "sandbox", "network", "allowedDomains", i]),
	"message": sprintf("the sandbox may reach %v: %v", [say.value(domain), reason]),
} if {
	domains := input.settings.sandbox.network.allowedDomains
	not _harmless(domains)
	some i, domain in domains
	is_string(domain)
	reason := _reason(_host(domain))
}

findings contains problem if {
	some problem in lists.problems(
		input.settings.sandbox.network.allowedDomains,
		["settings", "sandbox", "network", "allowedDomains"],
	)
}

_harmless(domains) if {
	hosts.ordinary(domains)
	count(lists.mentioned(domains, params.value("exfiltration_domains"))) == 0
}

# The host of an entry: in lower case, without scheme, port, path and the dot at its end.
_host(domain) := trim_suffix(split(split(bare, "/")[0], ":")[0], ".") if {
	bare := regex.replace(lower(trim_space(domain)), `^[a-z]+://`, "")
}

_reason(host) := "the wildcard covers domains of everybody" if _wide(host)

else := "a name without a dot is a whole top-level domain" if {
	not contains(trim_prefix(host, "."), ".")
	host != "localhost"
}

else := sprintf("it lies in %v, where anybody can publish", [found]) if {
	labels := split(host, ".")
	found := min({domain |
		some i in numbers.range(0, count(labels) - 1)
		domain := concat(".", array.slice(labels, i, count(labels)))
		domain in params.value("exfiltration_domains")
	})
}

# A star in one of the last two labels.
_wide(host) if {
	labels := split(host, ".")
	contains(concat(".", array.slice(labels, count(labels) - 2, count(labels))), "*")
}
