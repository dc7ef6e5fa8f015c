# METADATA
# title: Readiness reports
# description: Picks the reports of a repository that may be compared, from a list with the newest first.
package govctl.lib.reports

import data.govctl.lib.fields

# METADATA
# description: >-
#   The newest report of the repository's branch, or of all where it has none, with its index. Undefined
#   when there is none.
newest(repository, reports) := {"index": first, "report": reports[first]} if {
	first := min([i | some i, report in reports; _of_branch(repository, report)])
}

# METADATA
# description: >-
#   The report before another, of the same branch and made on a clean commit, with its index. Undefined
#   when there is none.
before(newer, reports) := {"index": first, "report": reports[first]} if {
	branch := fields.of(newer.report, "branch", "")
	first := min([i |
		some i, report in reports
		i > newer.index
		fields.of(report, "branch", "") == branch
		_clean(report)
	])
}

# METADATA
# description: The share of a criterion, from 0 to 1. Undefined for what is malformed.
ratio(criterion) := criterion.numerator / criterion.denominator if {
	is_number(criterion.numerator)
	is_number(criterion.denominator)
	criterion.denominator >= 1
	criterion.numerator >= 0
	criterion.numerator <= criterion.denominator
}

_of_branch(repository, report) if {
	is_object(report)
	fields.of(repository, "branch", "") == ""
}

_of_branch(repository, report) if report.branch == repository.branch

_clean(report) if {
	fields.of(report, "hasLocalChanges", false) == false
	fields.of(report, "hasNonRemoteCommits", false) == false
}
