# METADATA
# title: "The repository has a report"
# description: A repository without a report passes every other rule about its reports.
# scope: package
# schemas:
#   - input: schema.readiness
package govctl.readiness.rdy011

import data.govctl.lib.reports
import data.govctl.lib.say

# METADATA
# title: "The repository has a report"
# description: >-
#   Fires when no report of the repository, or of its branch where one is set, is visible to this key,
#   and when its reports spell its URL in more than one way, because some may then be filed elsewhere.
# scope: document
# custom:
#   id: RDY011
#   severity: high
#   input: readiness
#   default: true
#   remediation: >-
#     Have the repository evaluated on the branch that counts; use one spelling of its URL.
#   requires:
#     - /reports
#     - /repository/url
#   tags:
#     - readiness
#     - coverage
#   since: "0.1"
findings contains {
	"path": "/reports",
	"message": sprintf("no report of %v is visible to this key%v", [_what, _doubt]),
} if {
	input.repository.url
	all := input.reports
	not _judged(all)
}

findings contains {
	"path": "/reports",
	"message": sprintf("the reports spell the repository as %v", [say.list(spellings)]),
} if {
	spellings := {r.repoUrl | some r in input.reports; is_string(r.repoUrl)}
	some a in spellings
	some b in spellings
	a != b
	_folded(a) == _folded(b)
}

_judged(all) if reports.newest(input.repository, all)

_what := sprintf("branch %v of %v", [say.value(input.repository.branch), say.value(input.repository.url)]) if {
	input.repository.branch != ""
}

else := say.value(input.repository.url)

_doubt := "" if input.complete == true

else := ", and not all reports were read"

_folded(url) := trim_suffix(trim_suffix(lower(url), "/"), ".git")
