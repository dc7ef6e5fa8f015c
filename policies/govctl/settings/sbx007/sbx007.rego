# METADATA
# title: "The sandbox cannot read the keys of its user"
# description: >-
#   A key that can be read can be sent away, on purpose or by a trick in a file that the agent reads.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.sbx007

import data.govctl.lib.lists
import data.govctl.lib.params
import data.govctl.lib.paths
import data.govctl.lib.say

# METADATA
# title: "The sandbox cannot read the keys of its user"
# description: >-
#   Fires when a path of the parameter required_deny_read neither stands in denyRead nor lies in a path
#   that does.
# scope: document
# custom:
#   id: SBX007
#   severity: high
#   input: settings
#   default: true
#   remediation: Add the missing paths to sandbox.filesystem.denyRead.
#   requires:
#     - /settings/sandbox/filesystem/denyRead
#   tags:
#     - sandbox
#     - files
#     - secrets
#   since: "0.1"
findings contains {
	"path": "/settings/sandbox/filesystem/denyRead",
	"message": sprintf("the sandbox may read %v", [say.list(missing)]),
} if {
	denied := input.settings.sandbox.filesystem.denyRead
	missing := paths.uncovered(params.value("required_deny_read"), denied)
	count(missing) > 0
}

findings contains problem if {
	some problem in lists.problems(
		input.settings.sandbox.filesystem.denyRead,
		["settings", "sandbox", "filesystem", "denyRead"],
	)
}
