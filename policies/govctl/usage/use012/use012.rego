# METADATA
# title: "No forbidden kind of client is in use"
# description: A headless client works without anybody who looks.
# scope: package
# schemas:
#   - input: schema.usage
package govctl.usage.use012

import data.govctl.lib.params
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "No forbidden kind of client is in use"
# description: >-
#   Fires once for each client of the parameter forbidden_clients that anybody used.
# scope: document
# custom:
#   id: USE012
#   severity: medium
#   input: usage
#   default: false
#   remediation: >-
#     Find out which automation it is, and move it to where it is permitted.
#   requires:
#     - /activity
#   tags:
#     - usage
#     - clients
#   since: "0.1"
findings contains {
	"path": pointer.of(["activity", min(days), "daily_active_users_by_client", client]),
	"message": sprintf("the client %v was used on %v days", [client, count(days)]),
	"subject": client,
} if {
	some client in params.value("forbidden_clients")
	days := {i |
		some i, row in input.activity
		row.daily_active_users_by_client[client] != 0
	}
	count(days) > 0
}

findings contains {
	"path": "/activity",
	"message": sprintf("the rows are %v, not a list, so they cannot be judged", [say.value(rows)]),
} if {
	rows := input.activity
	not is_array(rows)
}
