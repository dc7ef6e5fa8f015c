package govctl.lib.properties_test

import data.govctl.lib.properties

test_every_known_property_has_a_type if count(properties.types) == 28

test_types if {
	every name, type in properties.types {
		type in {"array", "boolean", "number", "object", "string"}
		name != ""
	}
}
