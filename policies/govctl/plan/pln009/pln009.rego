# METADATA
# title: "Few limits are set without knowing the old ones"
# description: >-
#   Limits cannot be read back, so without a ledger a plan may lower somebody's limit without saying so.
# scope: package
# schemas:
#   - input: schema.plan
package govctl.plan.pln009

import data.govctl.lib.changes
import data.govctl.lib.params

# METADATA
# title: "Few limits are set without knowing the old ones"
# description: >-
#   Fires when more limits than the parameter max_unknown_limits have an old value that is unknown or
#   was never set by govctl.
# scope: document
# custom:
#   id: PLN009
#   severity: medium
#   input: plan
#   default: true
#   remediation: >-
#     Check that the right ledger is in use; adopt an organization group by group with --target.
#   requires:
#     - /plan/changes
#   tags:
#     - limits
#   since: "0.1"
findings contains {
	"path": "/plan/changes",
	"message": sprintf("the old value of %v limits is not known, more than %v", [_unknown, most]),
} if {
	most := params.value("max_unknown_limits")
	_unknown > most
}

_unknown := input.overview.unknown if is_number(input.overview.unknown)

else := count([c | some c in changes.list; c.kind == "limit"; not _known(c)])

_known(change) if change.before.grade in {"confirmed", "expired"}
