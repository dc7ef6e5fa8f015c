# METADATA
# title: "Computers are in working order"
# description: >-
#   Sessions wait for a computer that is stuck, and nobody is told.
# scope: package
# schemas:
#   - input: schema.computers
package govctl.computers.cmp001

import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "Computers are in working order"
# description: >-
#   Fires for a computer whose status is error or unknown to the contract, and for a provisioning step
#   with an error. How long a computer has been provisioning is not judged, because the unit of its
#   times is not stated.
# scope: document
# custom:
#   id: CMP001
#   severity: medium
#   input: computers
#   default: true
#   remediation: Retry the installation or create the computer anew.
#   requires:
#     - /computers
#   tags:
#     - computers
#     - health
#   since: "0.1"
findings contains {
	"path": pointer.of(["computers", i, "status"]),
	"message": sprintf("computer %v has the status %v", [_name(computer), say.value(status)]),
	"subject": _name(computer),
} if {
	some i, computer in input.computers
	status := computer.status
	not status in {"active", "provisioning"}
}

findings contains {
	"path": pointer.of(["computers", i, "provisioningSteps", j, "error"]),
	"message": sprintf(
		"computer %v failed at %v: %v",
		[_name(computer), say.value(_step(step)), say.value(error)],
	),
	"subject": _name(computer),
} if {
	some i, computer in input.computers
	some j, step in computer.provisioningSteps
	error := step.error
	not error in {"", null}
}

findings contains {
	"path": "/computers",
	"message": sprintf("the computers are %v, not a list, so they cannot be judged", [say.value(computers)]),
} if {
	computers := input.computers
	not is_array(computers)
}

_name(computer) := computer.name if is_string(computer.name)

else := "without a name"

_step(step) := step.name if step.name != ""

else := step.id
