# METADATA
# title: "The settings keep their known form"
# description: >-
#   The service may add, remove and rename properties, and a rule on a property that is gone protects
#   nothing.
# scope: package
# schemas:
#   - input: schema.history
package govctl.history.his003

import data.govctl.lib.pointer
import data.govctl.lib.properties
import data.govctl.lib.say

# METADATA
# title: "The settings keep their known form"
# description: >-
#   Fires when a property that nobody knows appears at the top level, a known one vanishes, or one
#   changes its type to another than the known one.
# scope: document
# custom:
#   id: HIS003
#   severity: medium
#   input: history
#   default: true
#   remediation: >-
#     Compare the revision with the service's notes; govctl and your rules may need the new name.
#   requires:
#     - /from/settings
#     - /to/settings
#   tags:
#     - versions
#   since: "0.1"
findings contains {
	"path": pointer.of(["to", "settings", name]),
	"message": sprintf("the property %v is new and unknown", [say.value(name)]),
} if {
	some name in (_names("to") - _names("from"))
	not properties.types[name]
}

findings contains {
	"path": pointer.of(["from", "settings", name]),
	"message": sprintf("the property %v has vanished", [say.value(name)]),
} if {
	some name in (_names("from") - _names("to"))
	properties.types[name]
}

findings contains {
	"path": pointer.of(["to", "settings", name]),
	"message": sprintf(
		"the property %v is of type %v and should be %v",
		[say.value(name), type_name(value), expected],
	),
} if {
	is_object(input.to.settings)
	some name, value in input.to.settings
	expected := _expected(name)
	type_name(value) != expected
	not _had_type(name, type_name(value))
}

findings contains {
	"path": pointer.of([side, "settings"]),
	"message": sprintf("the settings are %v, not an object, so they cannot be judged", [say.value(settings)]),
} if {
	some side in ["from", "to"]
	settings := input[side].settings
	not is_object(settings)
}

_names(side) := object.keys(input[side].settings) if is_object(input[side].settings)

_names(side) := set() if {
	settings := input[side].settings
	not is_object(settings)
}

_expected(name) := properties.types[name]

_expected(name) := type_name(input.from.settings[name]) if not properties.types[name]

_had_type(name, type) if type_name(input.from.settings[name]) == type
