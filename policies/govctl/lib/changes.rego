# METADATA
# title: Changes of a plan
# description: Sorts the changes of a plan once for all rules.
package govctl.lib.changes

# METADATA
# description: >-
#   All changes. govctl makes the list when it is asked for, and the index of a rule asks for everything
#   that the rule itself names of its input: so rules say this instead, after they have asked the overview.
list := input.plan.changes

# METADATA
# description: >-
#   The changes of computers and sessions by their place in the plan. A plan may have a hundred
#   thousand limits beside them, and to pass over those takes each rule that does it a second.
objects := {o.at: o.change | some o in input.overview.others} if input.overview.others

else := {i: change |
	some i, change in list
	change.kind != "limit"
}
