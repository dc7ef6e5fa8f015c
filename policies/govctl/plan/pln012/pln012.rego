# METADATA
# title: "New computers can be created as declared"
# description: What the service refuses at creation stops an apply half-way.
# scope: package
# schemas:
#   - input: schema.plan
package govctl.plan.pln012

import data.govctl.lib.changes
import data.govctl.lib.params
import data.govctl.lib.pointer
import data.govctl.lib.say
import data.govctl.lib.urls

# METADATA
# title: "New computers can be created as declared"
# description: >-
#   Fires for a computer name that has not 1 to 63 characters or holds a control character, for more
#   than 20 repositories, and for one that is no URL of at most 2048 characters on a host of the
#   parameter repository_hosts; an empty parameter permits any host.
# scope: document
# custom:
#   id: PLN012
#   severity: medium
#   input: plan
#   default: true
#   remediation: Shorten or correct the value.
#   requires:
#     - /plan/changes
#   tags:
#     - computers
#   since: "0.1"
findings contains {
	"path": pointer.of(["plan", "changes", i, "key"]),
	"message": sprintf("%v is not a name of 1 to 63 characters", [say.value(change.key)]),
} if {
	some i, change in changes.objects
	change.kind == "computer"
	change.action != "blocked"
	not _name(change.key)
}

findings contains {
	"path": pointer.of(["plan", "changes", i, "on_create", "repos"]),
	"message": sprintf(
		"computer %v gets %v, and the service takes a list of at most 20 repositories",
		[say.value(change.key), say.value(repos)],
	),
} if {
	some i, change in changes.objects
	change.kind == "computer"
	repos := change.on_create.repos
	not _short(repos)
}

findings contains {
	"path": pointer.of(["plan", "changes", i, "on_create", "repos", j]),
	"message": sprintf(
		"computer %v gets the repository %v, which is %v",
		[say.value(change.key), say.value(repo), reason],
	),
} if {
	some i, change in changes.objects
	change.kind == "computer"
	some j, repo in change.on_create.repos
	reason := _reason(repo)
}

_name(name) if {
	is_string(name)
	count(name) > 0
	count(name) <= 63
	not regex.match(`[\x00-\x1f\x7f]`, name)
}

_short(repos) if {
	is_array(repos)
	count(repos) <= 20
}

_reason(repo) := "no URL" if not urls.parts(repo)

else := "longer than 2048 characters" if count(repo) > 2048

else := "on a host that is not one of repository_hosts" if {
	hosts := {lower(h) | some h in params.value("repository_hosts")}
	count(hosts) > 0
	not urls.parts(repo).host in hosts
}
