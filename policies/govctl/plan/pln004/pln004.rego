# METADATA
# title: "Every limit is for a member"
# description: >-
#   The service refuses a limit for somebody it does not know, and an address with a typo leaves the
#   right person without one.
# scope: package
# schemas:
#   - input: schema.plan
package govctl.plan.pln004

import data.govctl.lib.changes
import data.govctl.lib.emails
import data.govctl.lib.members
import data.govctl.lib.params
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "Every limit is for a member"
# description: >-
#   Fires for a limit whose address no member has, where the whole member list was read, or that lies
#   outside the parameter company_domains, where it is set, and for declarations that the plan notes as
#   not in the organization. Nothing is sent for those, so the severity is lower than that of a change.
# scope: document
# custom:
#   id: PLN004
#   severity: medium
#   input: plan
#   default: true
#   remediation: >-
#     Correct the address, invite the person, or remove the declaration.
#   requires:
#     - /plan/changes
#     - /members
#   tags:
#     - limits
#     - members
#   since: "0.1"
findings contains {
	"path": pointer.of(["plan", "changes", i, "key"]),
	"message": sprintf("%v gets a limit and is %v", [say.value(change.key), reason]),
	"subject": say.name(change.key),
} if {
	input.members
	some i, change in _suspects
	change.kind == "limit"
	reason := _reason(change.key)
}

findings contains {
	"path": pointer.of(["plan", "notes", i]),
	"message": sprintf(
		"declared, but not in the organization: %v",
		[say.list([item.key | some item in note.items])],
	),
} if {
	input.members
	some i, note in input.plan.notes
	note.code == "not_in_organization"
}

# The overview names those that no member has and every domain there is, so hardly any plan has to be
# walked through.
_suspects := {s.at: s.change | some s in input.overview.strangers} if {
	input.overview.strangers
	not _foreign_domain
} else := changes.list

_foreign_domain if {
	count(params.value("company_domains")) > 0
	not _all_within
}

_all_within if {
	within := {emails.folded(d) | some d in params.value("company_domains")}
	every d in input.overview.domains { d in within }
}

_strangers contains address if {
	addresses := [c.key | some c in _suspects; c.kind == "limit"; is_string(c.key)]
	some address in members.strangers(input.members, addresses)
}

_reason(address) := "no text" if not is_string(address)

else := "no member of the organization" if address in _strangers

else := "outside the domains of the company" if {
	domains := params.value("company_domains")
	count(domains) > 0
	not emails.within(address, domains)
}
