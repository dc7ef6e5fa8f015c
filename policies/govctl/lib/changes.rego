# METADATA
# title: Changes of a plan
# description: Sorts the changes of a plan once for all rules.
package govctl.lib.changes

# METADATA
# description: >-
#   The changes of computers and sessions by their place in the plan. A plan may have a hundred
#   thousand limits beside them, and to pass over those takes each rule that does it a second.
objects := {i: change |
	some i, change in input.plan.changes
	change.kind != "limit"
}
