# METADATA
# title: "The plan is recent"
# description: A plan that was approved long ago was approved for another state of the world.
# scope: package
# schemas:
#   - input: schema.plan
package govctl.plan.pln013

import data.govctl.lib.instants
import data.govctl.lib.params
import data.govctl.lib.say

# METADATA
# title: "The plan is recent"
# description: >-
#   Fires when a plan is older than the parameter plan_max_age_minutes, was made in the future, or has
#   no readable time. Whether the settings have moved since is checked by apply itself, which reads them
#   again.
# scope: document
# custom:
#   id: PLN013
#   severity: high
#   input: plan
#   default: true
#   remediation: Plan again and have the new plan approved.
#   requires:
#     - /plan/created_at
#     - /now
#   tags:
#     - stale
#   since: "0.1"
findings contains {
	"path": "/plan/created_at",
	"message": sprintf(
		"the plan was made at %v and it is %v now, more than %v minutes later",
		[say.value(input.plan.created_at), say.value(input.now), most],
	),
} if {
	most := params.value("plan_max_age_minutes")
	instants.nanos(input.now) - instants.nanos(input.plan.created_at) > instants.minutes(most)
}

findings contains {
	"path": "/plan/created_at",
	"message": sprintf("the plan was made at %v, which is in the future", [say.value(input.plan.created_at)]),
} if {
	instants.nanos(input.plan.created_at) - instants.nanos(input.now) > instants.minutes(5)
}

findings contains {
	"path": "/plan/created_at",
	"message": sprintf("the plan says %v, which is not a date and time", [say.value(made)]),
} if {
	made := input.plan.created_at
	not instants.nanos(made)
}
