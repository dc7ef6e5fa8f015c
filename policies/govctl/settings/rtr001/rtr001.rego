# METADATA
# title: "Every router rule says something of its own"
# description: >-
#   An empty rule guides nothing, and a second rule for the same case contradicts the first or repeats
#   it.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.rtr001

import data.govctl.lib.lists
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "Every router rule says something of its own"
# description: >-
#   Fires for an entry of serviceRouterRules whose when or guidance is not a text with words in it, or
#   whose when equals an earlier one but for case and spaces.
# scope: document
# custom:
#   id: RTR001
#   severity: low
#   input: settings
#   default: false
#   remediation: Complete the rule or remove it.
#   requires:
#     - /settings/serviceRouterRules
#   tags:
#     - router
#   since: "0.1"
findings contains {
	"path": pointer.of(["settings", "serviceRouterRules", i]),
	"message": sprintf("router rule number %v has no %v, so it guides nothing", [i, name]),
} if {
	some i, rule in input.settings.serviceRouterRules
	some name in ["when", "guidance"]
	not _says(rule, name)
}

findings contains {
	"path": pointer.of(["settings", "serviceRouterRules", i]),
	"message": sprintf("router rule number %v is for the same case as number %v", [i, j]),
} if {
	some i, rule in input.settings.serviceRouterRules
	some j, earlier in input.settings.serviceRouterRules
	j < i
	lists.folded(rule.when) == lists.folded(earlier.when)
}

findings contains {
	"path": "/settings/serviceRouterRules",
	"message": sprintf("serviceRouterRules is %v, not a list, so it cannot be judged", [say.value(rules)]),
} if {
	rules := input.settings.serviceRouterRules
	not is_array(rules)
}

_says(rule, name) if {
	is_string(rule[name])
	trim_space(rule[name]) != ""
}
