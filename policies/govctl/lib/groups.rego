# METADATA
# title: Groups
# description: Sorts values by a key.
package govctl.lib.groups

# METADATA
# description: >-
#   The values of pairs of a key and a value, as a list for each key. A rule that is a set for each key says
#   the same, but takes its time for all pairs again with each key that is asked for.
of(pairs) := {key: [value | some value in values] |
	some key, values in object.union_n([{pair[0]: {i: pair[1]}} | some i, pair in pairs])
}
