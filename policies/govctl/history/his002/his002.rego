# METADATA
# title: "The settings were changed by somebody who may"
# description: >-
#   A change of the settings by a stranger or by nobody is how a hijacked account shows.
# scope: package
# schemas:
#   - input: schema.history
package govctl.history.his002

import data.govctl.lib.emails
import data.govctl.lib.fields
import data.govctl.lib.params
import data.govctl.lib.say

# METADATA
# title: "The settings were changed by somebody who may"
# description: >-
#   Fires when the actor of a revision has no id, has an id that is not in the parameter admins, or has
#   an address outside company_domains; empty parameters permit anybody. Ids count and names do not,
#   because anybody can choose a name.
# scope: document
# custom:
#   id: HIS002
#   severity: high
#   input: history
#   default: true
#   remediation: >-
#     Ask the person, rotate the account's credentials, and review what the revision changed.
#   requires:
#     - /to/actor
#   tags:
#     - actors
#   since: "0.1"
findings contains {
	"path": "/to/actor",
	"message": sprintf(
		"revision %v was made by %v, %v",
		[say.value(input.to.revision), _who(input.to.actor), reason],
	),
} if {
	reason := _reason(input.to.actor)
}

_reason(actor) := "who has no id" if not _has_id(actor)

else := "who is not one of admins" if {
	count(params.value("admins")) > 0
	not actor.id in params.value("admins")
}

else := "whose address is not of the company" if {
	count(params.value("company_domains")) > 0
	not emails.within(fields.of(actor, "email", ""), params.value("company_domains"))
}

_has_id(actor) if {
	is_string(actor.id)
	actor.id != ""
}

_who(actor) := concat(" ", [say.value(fields.of(actor, "id", null)), say.value(fields.of(actor, "email", null))]) if {
	is_object(actor)
}

else := say.value(actor)
