# METADATA
# title: Custom models
# description: Names custom models in messages and says where they cannot be read.
package govctl.lib.custom_models

import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# description: How people know a custom model, by its id, else its model, else its place in the list.
label(model, i) := say.value(model.id) if {
	is_string(model.id)
} else := say.value(model.model) if {
	is_string(model.model)
} else := sprintf("number %v", [i])

# METADATA
# description: >-
#   Findings for a value that is not a list of objects. A rule about custom models includes them, because
#   what it cannot read it cannot pass.
problems(models, at) := {{
	"path": pointer.of(at),
	"message": sprintf("customModels is %v, not a list, so it cannot be judged", [say.value(models)]),
}} if {
	not is_array(models)
}

problems(models, at) := {finding |
	some i, model in models
	not is_object(model)
	finding := {
		"path": pointer.of(array.concat(at, [i])),
		"message": sprintf("custom model number %v is %v, not an object, so it cannot be judged", [i, say.value(model)]),
	}
} if {
	is_array(models)
}
