# METADATA
# title: "Grants name people of the organization"
# description: >-
#   A grant to somebody who left, or never belonged here, waits for whoever gets that address.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.acc006

import data.govctl.lib.emails
import data.govctl.lib.lists
import data.govctl.lib.members
import data.govctl.lib.params
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "Grants name people of the organization"
# description: >-
#   Fires for an address in managedComputersAllowedEmails or byomComputersAllowedEmails that no member
#   has, where the whole member list was read, or that lies outside the parameter company_domains, where
#   it is set.
# scope: document
# custom:
#   id: ACC006
#   severity: medium
#   input: settings
#   default: true
#   remediation: Remove the address from the list.
#   requires:
#     - /settings
#   tags:
#     - access
#     - computers
#   since: "0.1"
findings contains {
	"path": pointer.of(["settings", name, i]),
	"message": sprintf("%v is %v", [say.value(address), reason]),
} if {
	_may_refuse
	some name, addresses in _granted
	some i, address in addresses
	reason := _reason(address)
}

findings contains problem if {
	some name, addresses in _granted
	some problem in lists.problems(addresses, ["settings", name])
}

_granted["managedComputersAllowedEmails"] := input.settings.managedComputersAllowedEmails

_granted["byomComputersAllowedEmails"] := input.settings.byomComputersAllowedEmails

_strangers contains address if {
	addresses := [a | some list in _granted; some a in lists.texts(list)]
	some address in members.strangers(input.members, addresses)
}

_may_refuse if count(_strangers) > 0

_may_refuse if count(params.value("company_domains")) > 0

_reason(address) := "no member of the organization" if address in _strangers

else := "outside the domains of the company" if {
	domains := params.value("company_domains")
	count(domains) > 0
	not emails.within(address, domains)
}
