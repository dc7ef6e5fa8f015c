# METADATA
# title: Lists of texts
# description: Reads lists that should hold texts and says so where they do not.
package govctl.lib.lists

import data.govctl.lib.groups
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# description: >-
#   Whether a value is a list of texts with at least one. null, booleans and numbers sort before texts,
#   lists and objects behind them, so that two calls tell it of a list of any length.
only_texts(value) if {
	is_array(value)
	is_string(min(value))
	is_string(max(value))
}

# METADATA
# description: The texts of a list; anything else in it is left to `problems`.
texts(value) := value if {
	only_texts(value)
} else := [item |
	is_array(value)
	some item in value
	is_string(item)
]

# METADATA
# description: A text as people compare it, in lower case with single spaces, undefined for anything else.
folded(text) := trim_space(regex.replace(lower(text), `\s+`, " ")) if is_string(text)

# METADATA
# description: What `folded` makes of the texts of a list; nearly every list is in that form as it stands.
all_folded(value) := value if {
	only_texts(value)
	joined := concat("\u0000", value)
	regex.match(`^[\x00\x20-\x40\x5b-\x7e]*$`, joined)
	framed := concat("", ["\u0000", joined, "\u0000"])
	not contains(framed, "  ")
	not contains(framed, "\u0000 ")
	not contains(framed, " \u0000")
} else := [folded(item) | some item in value]

# METADATA
# description: What two lists have both, as a set.
common(a, b) := {item | some item in a} & {item | some item in b}

# METADATA
# description: Those of some words, in lower case, that any text of a list contains, in any case.
mentioned(value, words) := {word |
	joined := lower(concat("\u0000", texts(value)))
	some word in words
	contains(joined, word)
}

# METADATA
# description: Those of some texts that a list does not have, compared by `folded`.
lacking(value, wanted) := {text |
	all := {item | some item in all_folded(value)}
	some text in wanted
	not _among(text, all)
}

_among(text, all) if folded(text) in all

# METADATA
# description: The places of the texts of a list that match any of some glob patterns, in which * means anything.
globbed(value, patterns) := {i |
	is_array(value)
	some i, text in value
	is_string(text)
	some pattern in patterns
	glob.match(pattern, null, text)
}

# METADATA
# description: >-
#   Pairs of places at which a list has the same text, compared by `folded`: each place that repeats one, with
#   the last one before it.
repeats(value) := set() if {
	is_array(value)
	all := all_folded(value)
	count({text | some text in all}) == count(value)
} else := {[places[n + 1], earlier] |
	is_array(value)
	some places in groups.of([[folded(text), i] | some i, text in value])
	some n, earlier in places
}

# METADATA
# description: >-
#   Findings for a value that is not a list of texts. A rule that reads a list includes them,
#   because what it cannot read it cannot pass.
problems(value, at) := set() if {
	only_texts(value)
} else := {{
	"path": pointer.of(at),
	"message": sprintf("%v is %v, not a list, so it cannot be judged", [_name(at), say.value(value)]),
}} if {
	not is_array(value)
} else := {finding |
	some i, item in value
	not is_string(item)
	finding := {
		"path": pointer.of(array.concat(at, [i])),
		"message": sprintf("entry %v of %v is %v, not a text, so it cannot be judged", [i, _name(at), say.value(item)]),
	}
}

_name(at) := concat(".", array.slice(at, 1, count(at)))
