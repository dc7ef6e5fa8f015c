# METADATA
# title: Words for values
# description: Names a value in a message without printing much of it.
package govctl.lib.say

# METADATA
# description: A short name for any JSON value. Long texts are cut, lists and objects are not printed.
value(v) := _named(type_name(v), v)

_named("string", v) := json.marshal(v) if {
	count(v) <= 80
} else := concat("", [json.marshal(substring(v, 0, 77)), "…"])

_named("array", v) := sprintf("a list of %v", [count(v)])

_named("object", v) := "a hidden value" if {
	v.redacted == true
} else := "an object"

_named("boolean", v) := json.marshal(v)

_named("number", v) := json.marshal(v)

_named("null", _) := "null"

_named("set", v) := json.marshal(v)

# METADATA
# description: A text as it is, and a short name for any other value, where only a text will do.
name(v) := v if {
	is_string(v)
} else := value(v)

# METADATA
# description: The texts of a set or list, sorted, quoted and joined; at most ten are named.
list(texts) := concat(", ", named) if {
	all := sort([value(t) | some t in texts])
	named := array.concat(array.slice(all, 0, 10), [sprintf("and %v more", [count(all) - 10]) | count(all) > 10])
}
