# METADATA
# title: JSON pointers
# description: Builds the paths that findings carry.
package govctl.lib.pointer

# METADATA
# description: The JSON pointer (RFC 6901) of names and indexes, outermost first.
of(segments) := plain if {
	plain := sprintf(_formats[count(segments)], segments)
	not contains(plain, "~")
	strings.count(plain, "/") == count(segments)
} else := concat("", [concat("", ["/", _escaped(s)]) | some s in segments])

# Nearly every pointer is short and has nothing to escape: one call writes it.
_formats := ["", "/%v", "/%v/%v", "/%v/%v/%v", "/%v/%v/%v/%v", "/%v/%v/%v/%v/%v", "/%v/%v/%v/%v/%v/%v"]

_escaped(segment) := replace(replace(sprintf("%v", [segment]), "~", "~0"), "/", "~1")
