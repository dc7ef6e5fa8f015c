# METADATA
# title: Lists of texts
# description: Reads lists that should hold texts and says so where they do not.
package govctl.lib.lists

import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# description: The texts of a list; anything else in it is left to `problems`.
texts(value) := [item |
	is_array(value)
	some item in value
	is_string(item)
]

# METADATA
# description: A text as people compare it, in lower case with single spaces, undefined for anything else.
folded(text) := trim_space(regex.replace(lower(text), `\s+`, " ")) if is_string(text)

# METADATA
# description: >-
#   Findings for a value that is not a list of texts. A rule that reads a list includes them,
#   because what it cannot read it cannot pass.
problems(value, at) := {{
	"path": pointer.of(at),
	"message": sprintf("%v is %v, not a list, so it cannot be judged", [_name(at), say.value(value)]),
}} if {
	not is_array(value)
}

problems(value, at) := {finding |
	some i, item in value
	not is_string(item)
	finding := {
		"path": pointer.of(array.concat(at, [i])),
		"message": sprintf("entry %v of %v is %v, not a text, so it cannot be judged", [i, _name(at), say.value(item)]),
	}
} if {
	is_array(value)
}

_name(at) := concat(".", array.slice(at, 1, count(at)))
