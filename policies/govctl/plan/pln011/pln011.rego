# METADATA
# title: "New computers are of a kind that the settings permit"
# description: >-
#   The service will refuse the computer, or the settings say something else than people think.
# scope: package
# schemas:
#   - input: schema.plan
package govctl.plan.pln011

import data.govctl.lib.changes
import data.govctl.lib.fields
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "New computers are of a kind that the settings permit"
# description: >-
#   Fires for a new computer whose provider the settings switch off, or do not switch on with a plain
#   true. A plan names no owner, so the lists of allowed addresses are not compared.
# scope: document
# custom:
#   id: PLN011
#   severity: medium
#   input: plan
#   default: true
#   remediation: >-
#     Have the provider switched on, or choose the other one.
#   requires:
#     - /plan/changes
#     - /settings
#   tags:
#     - computers
#   since: "0.1"
findings contains {
	"path": pointer.of(["plan", "changes", i]),
	"message": sprintf(
		"computer %v is new and %v, but %v is %v",
		[say.value(change.key), change.provider, switch, say.value(enabled)],
	),
	"subject": say.name(change.key),
} if {
	some i, change in changes.objects
	change.kind == "computer"
	change.action == "create"
	switch := _switches[change.provider]
	enabled := input.settings[switch]
	enabled != true
}

findings contains {
	"path": pointer.of(["plan", "changes", i]),
	"message": sprintf(
		"computer %v is new and of the unknown provider %v",
		[say.value(change.key), say.value(provider)],
	),
	"subject": say.name(change.key),
} if {
	input.settings
	some i, change in changes.objects
	change.kind == "computer"
	change.action == "create"
	provider := fields.of(change, "provider", "")
	provider != ""
	not _switches[provider]
}

_switches := {
	"byom": "byomComputersEnabled",
	"sandbox_vendor": "managedComputersEnabled",
}
