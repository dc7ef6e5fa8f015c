# METADATA
# title: "Sessions do not run as root"
# description: What the agent does as root nothing on the machine can stop or undo.
# scope: package
# schemas:
#   - input: schema.computers
package govctl.computers.cmp002

import data.govctl.lib.fields
import data.govctl.lib.params
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "Sessions do not run as root"
# description: >-
#   Fires for a computer whose remoteUser is one of the parameter privileged_users, or no text. An
#   absent remoteUser is not judged, because which user is then taken is not stated.
# scope: document
# custom:
#   id: CMP002
#   severity: high
#   input: computers
#   default: true
#   remediation: Create an account without privileges on the machine and set it as remote_user.
#   requires:
#     - /computers
#   tags:
#     - computers
#     - access
#   since: "0.1"
findings contains {
	"path": pointer.of(["computers", i, "remoteUser"]),
	"message": sprintf(
		"sessions on computer %v run as %v",
		[say.value(fields.of(computer, "name", "")), say.value(user)],
	),
} if {
	some i, computer in input.computers
	user := computer.remoteUser
	not _plain(user)
}

findings contains {
	"path": "/computers",
	"message": sprintf("the computers are %v, not a list, so they cannot be judged", [say.value(computers)]),
} if {
	computers := input.computers
	not is_array(computers)
}

_plain(user) if {
	is_string(user)
	not lower(trim_space(user)) in {lower(p) | some p in params.value("privileged_users")}
}
