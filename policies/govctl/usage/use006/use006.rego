# METADATA
# title: "The agent is watched while it works"
# description: At the highest autonomy nobody confirms what the agent does.
# scope: package
# schemas:
#   - input: schema.usage
package govctl.usage.use006

import data.govctl.lib.emails
import data.govctl.lib.fields
import data.govctl.lib.groups
import data.govctl.lib.params
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "The agent is watched while it works"
# description: >-
#   Fires when on the newest day the share of tool calls at auto_high is above max_auto_high_ratio or
#   the 90th percentile of tool calls for a turn is above max_autonomy_p90, and for a member at
#   auto-high who is not in auto_high_users, where that is set. Ratios of several days are not averaged.
# scope: document
# custom:
#   id: USE006
#   severity: medium
#   input: usage
#   default: true
#   remediation: >-
#     Lower the default autonomy, or agree with the people on when it may be high.
#   requires:
#     - /tools
#     - /users
#   tags:
#     - usage
#     - autonomy
#   since: "0.1"
findings contains {
	"path": pointer.of(array.concat(["tools", i], at)),
	"message": sprintf(
		"%v is %v on %v, and at most %v is wanted",
		[concat(".", at), say.value(value), row.date, most],
	),
} if {
	some i, row in input.tools
	row.date == _newest
	some at, most in _bounds
	value := fields.of(row, at, null)
	not _at_most(value, most)
}

findings contains {
	"path": pointer.of(["users", min(rows)]),
	"message": sprintf("%v works at auto-high and is not one of auto_high_users", [say.value(who)]),
	"subject": who,
} if {
	some who, rows in _unwatched
}

findings contains {
	"path": "/tools",
	"message": sprintf("the rows are %v, not a list, so they cannot be judged", [say.value(rows)]),
} if {
	rows := input.tools
	not is_array(rows)
}

_newest := max([row.date | some row in input.tools; is_string(row.date)])

_bounds := {
	["tool_autonomy_level_ratio", "auto_high"]: params.value("max_auto_high_ratio"),
	["autonomy_ratio_p90"]: params.value("max_autonomy_p90"),
}

_at_most(value, most) if {
	is_number(value)
	value <= most
}

_unwatched := groups.of([[_who(row), i] |
	is_array(params.value("auto_high_users"))
	permitted := {emails.folded(u) | some u in params.value("auto_high_users")}
	some i, row in input.users
	row.delegation_level == "auto-high"
	not emails.folded(_who(row)) in permitted
])

_who(row) := row.user_email if row.user_email != null

else := row.user_id
