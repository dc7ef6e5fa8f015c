# METADATA
# title: File paths
# description: Compares the paths of sandbox lists, which may use ~, $HOME and a wildcard at the end.
package govctl.lib.paths

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
