# METADATA
# title: File paths
# description: Compares the paths of sandbox lists, which may use ~, $HOME and a wildcard at the end.
package govctl.lib.paths

import data.govctl.lib.lists

# METADATA
# description: >-
#   A path without spaces around it and without slashes and wildcards at its end; "/" stays "/". Undefined
#   for what is no text.
clean(path) := "/" if {
	is_string(path)
	trim_right(trim_space(path), "/*") == ""
} else := replace(replace(trim_right(trim_space(path), "/*"), "${HOME}", "~"), "$HOME", "~") if {
	is_string(path)
}

# METADATA
# description: Whether a path equals another or lies below it.
within(path, directory) if clean(path) == clean(directory)

within(path, directory) if startswith(clean(path), concat("", [trim_suffix(clean(directory), "/"), "/"]))

# METADATA
# description: Whether a value is a list of paths that `clean` leaves as they are, as nearly all are.
all_clean(value) if {
	lists.only_texts(value)
	joined := concat("\u0000", value)
	strings.count(joined, "\u0000") == count(value) - 1
	regex.match(`^[\x00\x21-\x23\x25-\x7e]*$`, joined)
	framed := concat("", ["\u0000", joined, "\u0000"])
	not contains(framed, "/\u0000")
	not contains(framed, "*\u0000")
	not contains(framed, "\u0000\u0000")
}

# METADATA
# description: The paths of a list, each as `clean` has it, at their places; what is no text stays as it is.
cleaned(value) := value if {
	all_clean(value)
} else := [_clean_text(path) | some path in value]

_clean_text(path) := clean(path) if {
	is_string(path)
} else := path

# METADATA
# description: The places of those of some paths that equal a directory or lie below it, with these directories.
inside(written, directories) := {} if {
	all_clean(written)
	all_clean(directories)
	not strings.any_prefix_match(written, directories)
} else := {i: above |
	known := {directory | some directory in cleaned(directories)}
	some i, path in cleaned(written)
	above := lineage(path) & known
	count(above) > 0
}

# METADATA
# description: The last names of the paths of a list, at their places; what is no text stays as it is.
names(value) := [_name(path) | some path in value]

_name(path) := all[count(all) - 1] if {
	is_string(path)
	all := split(trim_suffix(trim_space(path), "/"), "/")
} else := path

# METADATA
# description: Those of some clean paths that neither equal nor lie below any path of a list.
uncovered(paths_wanted, value) := {path |
	covered := [concat("", [trim_suffix(entry, "/"), "/"]) | some entry in lists.texts(cleaned(value))]
	some path in paths_wanted
	not strings.any_prefix_match(concat("", [path, "/"]), covered)
}

# METADATA
# description: A path as `clean` has it, and every directory above it.
lineage(path) := {ancestor |
	names := split(clean(path), "/")
	some n in numbers.range(1, count(names))
	ancestor := _or_root(concat("/", array.slice(names, 0, n)))
}

_or_root("") := "/"

_or_root(path) := path if path != ""
