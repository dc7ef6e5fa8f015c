# METADATA
# title: "The numbers add up"
# description: Parts that do not make their total mean that one of them is wrong.
# scope: package
# schemas:
#   - input: schema.usage
package govctl.usage.use011

import data.govctl.lib.params
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "The numbers add up"
# description: >-
#   Fires for a day on which the credits by model or by user differ from billable_tokens by more than
#   the share max_sum_difference, and for days with tool names that no tool can have. A few of those are
#   documented.
# scope: document
# custom:
#   id: USE011
#   severity: low
#   input: usage
#   default: false
#   remediation: Read the day again later; ask the service if it stays.
#   requires:
#     - /tokens
#     - /tools
#   tags:
#     - usage
#     - quality
#   since: "0.1"
findings contains {
	"path": pointer.of(["tokens", i, name]),
	"message": sprintf(
		"%v of %v adds up to %v credits, and the day has %v",
		[name, row.date, parts, say.value(total)],
	),
} if {
	some i, row in input.tokens
	some name in ["by_model", "by_user"]
	parts := sum([item.billable_tokens | some item in row[name]; is_number(item.billable_tokens)])
	row[name]
	total := row.billable_tokens
	not _near(parts, total)
}

findings contains {
	"path": pointer.of(["tools", i, "by_tool"]),
	"message": sprintf("%v has tools with odd names: %v", [row.date, say.list(odd)]),
} if {
	some i, row in input.tools
	odd := {tool |
		some item in row.by_tool
		tool := item.tool
		not _plain(tool)
	}
	count(odd) > 0
}

_near(parts, total) if {
	is_number(total)
	abs(parts - total) <= abs(total) * params.value("max_sum_difference")
}

_plain(tool) if {
	is_string(tool)
	regex.match(`^[A-Za-z][A-Za-z0-9_.:-]{0,127}$`, tool)
}
