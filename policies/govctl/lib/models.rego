# METADATA
# title: Model policy
# description: Says why the settings refuse a model, as far as the settings tell.
package govctl.lib.models

import data.govctl.lib.fields

# METADATA
# description: >-
#   The reason why modelPolicy refuses a model, undefined where it does not. An empty or absent list of
#   allowed models refuses nothing, and exceptions of single members are not looked at.
refusal(settings, id) := "blocked by blockedModelIds" if {
	_named(id)
	id in fields.of(settings, ["modelPolicy", "blockedModelIds"], [])
} else := "not in allowedModelIds" if {
	_named(id)
	allowed := fields.of(settings, ["modelPolicy", "allowedModelIds"], [])
	is_array(allowed)
	count(allowed) > 0
	not id in allowed
	fields.of(settings, ["modelPolicy", "allowAllServiceModels"], false) != true
	not _custom(settings, id)
}

_named(id) if {
	is_string(id)
	id != ""
}

_custom(settings, id) if {
	fields.of(settings, ["modelPolicy", "allowCustomModels"], false) == true
	some model in fields.of(settings, "customModels", [])
	id in {fields.of(model, "id", ""), fields.of(model, "model", "")}
}
