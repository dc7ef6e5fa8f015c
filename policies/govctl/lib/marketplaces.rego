# METADATA
# title: Marketplaces
# description: Reads the lists of plugin marketplaces, whose shape the service states only in part.
package govctl.lib.marketplaces

import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# description: The repositories of strictKnownMarketplaces as OWNER/NAME in lower case.
repos(entries) := {_repo(entry.repo) |
	is_array(entries)
	some entry in entries
	is_string(entry.repo)
	_repo(entry.repo) != ""
}

# METADATA
# description: The owner in a repository that is written OWNER/NAME or as a URL, "" for anything else.
owner(repo) := parts[count(parts) - 2] if {
	is_string(repo)
	parts := split(_repo(repo), "/")
	count(parts) > 1
} else := ""

# METADATA
# description: >-
#   Whether a marketplace belongs to one of the repositories: by its known source, or by its own name
#   where no source is known.
listed(name, repositories, known) if {
	some repo in repositories
	walk(known[name], [_, source])
	is_string(source)
	endswith(concat("", ["/", _repo(source)]), concat("", ["/", repo]))
}

listed(name, repositories, known) if {
	not known[name]
	some repo in repositories
	lower(name) in ({repo} | {part | some part in split(repo, "/")})
}

# METADATA
# description: Findings for a strictKnownMarketplaces that cannot be read.
problems(entries) := {{
	"path": "/settings/strictKnownMarketplaces",
	"message": sprintf("strictKnownMarketplaces is %v, not a list, so it cannot be judged", [say.value(entries)]),
}} if {
	not is_array(entries)
}

problems(entries) := {finding |
	some i, entry in entries
	not _names_repo(entry)
	finding := {
		"path": pointer.of(["settings", "strictKnownMarketplaces", i]),
		"message": sprintf("entry %v of strictKnownMarketplaces names no repo, so it cannot be judged", [i]),
	}
} if {
	is_array(entries)
}

_repo(text) := trim_suffix(trim(regex.replace(lower(trim_space(text)), `^[a-z+]+://`, ""), "/"), ".git")

_names_repo(entry) if is_string(entry.repo)
