# METADATA
# title: "Thinking models are used with measure"
# description: Thinking models use many times the credits of standard ones.
# scope: package
# schemas:
#   - input: schema.usage
package govctl.usage.use005

import data.govctl.lib.credits
import data.govctl.lib.fields
import data.govctl.lib.params
import data.govctl.lib.say

# METADATA
# title: "Thinking models are used with measure"
# description: >-
#   Fires when models of the thinking tier used more than the share max_thinking_share of the credits of
#   the whole window.
# scope: document
# custom:
#   id: USE005
#   severity: low
#   input: usage
#   default: false
#   remediation: Make a standard model the default of sessions.
#   requires:
#     - /tokens
#   tags:
#     - usage
#     - cost
#   since: "0.1"
findings contains {
	"path": "/tokens",
	"message": sprintf("thinking models used %v of %v credits", [thinking, total]),
} if {
	total := sum([item[2] | some item in _items])
	thinking := sum([item[2] | some item in _items; item[3] == "thinking"])
	thinking > total * params.value("max_thinking_share")
}

findings contains {
	"path": "/tokens",
	"message": sprintf("the rows are %v, not a list, so they cannot be judged", [say.value(rows)]),
} if {
	rows := input.tokens
	not is_array(rows)
}

findings contains problems[0] if {
	problems := [problem |
		some i, row in input.tokens
		some problem in credits.problems(fields.of(row, "by_model", null), ["tokens", i, "by_model"])
	]
}

_items contains [i, j, item.billable_tokens, item.model_tier] if {
	some i, row in input.tokens
	some j, item in row.by_model
	is_number(item.billable_tokens)
}
