# METADATA
# title: "Every member has one limit"
# description: >-
#   Of two limits for one person the last that is written wins, and which that is nobody decided.
# scope: package
# schemas:
#   - input: schema.plan
package govctl.plan.pln007

import data.govctl.lib.changes
import data.govctl.lib.emails
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "Every member has one limit"
# description: >-
#   Fires when two limits of a plan have addresses that are equal but for case, or one user id.
# scope: document
# custom:
#   id: PLN007
#   severity: medium
#   input: plan
#   default: true
#   remediation: Keep one declaration of the member.
#   requires:
#     - /plan/changes
#   tags:
#     - limits
#     - members
#   since: "0.1"
findings contains {
	"path": pointer.of(["plan", "changes", i, "key"]),
	"message": sprintf(
		"%v has a limit here and at %v",
		[say.value(changes.list[i].key), pointer.of(["plan", "changes", min(places)])],
	),
} if {
	some places in _places
	some i in places
	i > min(places)
}

# Where the limits of one member stand, by address and by id. Hardly any plan has such a member,
# so that is asked first, in a way that is quick for a hundred thousand limits: lower folds more
# than the service does, never less.
_places contains places if {
	not _all_differ
	count({lower(change.key) | some change in _limits}) < count(_limits)
	some address in {a | some a in _addresses}
	places := [i | _addresses[i] == address]
	count(places) > 1
}

_places contains places if {
	not _all_differ
	count({id | some id in _ids}) < count(_ids)
	some id in {id | some id in _ids}
	places := [i | _ids[i] == id]
	count(places) > 1
}

_all_differ if input.overview.repeated == false

_limits := [change |
	some change in changes.list
	change.kind == "limit"
	is_string(change.key)
]

_addresses := {i: emails.folded(change.key) |
	some i, change in changes.list
	change.kind == "limit"
}

_ids := {i: change.user_id |
	some i, change in changes.list
	change.kind == "limit"
	change.user_id != ""
}
