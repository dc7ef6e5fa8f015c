# METADATA
# title: No limit is too high
# custom:
#   id: PLN001
#   severity: high
#   input: plan
#   remediation: Agree on the limit first.
#   requires: [/plan/changes]
package govctl.plan.pln001

findings contains {"path": path, "message": message, "subject": change.key} if {
	some i, change in input.plan.changes
	change.kind == "limit"
	change.after > data.params.max_limit
	path := sprintf("/plan/changes/%d", [i])
	message := sprintf("%d credits are more than %d", [change.after, data.params.max_limit])
}
