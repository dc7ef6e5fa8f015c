# METADATA
# title: Words for values
# description: Names a value in a message without printing much of it.
package govctl.lib.say

# METADATA
# description: A short name for any JSON value. Long texts are cut, lists and objects are not printed.
value(v) := json.marshal(v) if {
	is_string(v)
	count(v) <= 80
} else := concat("", [json.marshal(substring(v, 0, 77)), "…"]) if {
	is_string(v)
} else := sprintf("a list of %v", [count(v)]) if {
	is_array(v)
} else := "a hidden value" if {
	is_object(v)
	v.redacted == true
} else := "an object" if {
	is_object(v)
} else := json.marshal(v)

# METADATA
# description: The texts of a set or list, sorted, quoted and joined; at most ten are named.
list(texts) := concat(", ", named) if {
	all := sort([value(t) | some t in texts])
	named := array.concat(array.slice(all, 0, 10), [sprintf("and %v more", [count(all) - 10]) | count(all) > 10])
}
