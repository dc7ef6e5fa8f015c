# METADATA
# title: "Nothing is copied to the cloud that must stay here"
# description: >-
#   Where data must not leave, a synchronization that somebody turned on is a breach.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.dat002

import data.govctl.lib.params
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "Nothing is copied to the cloud that must stay here"
# description: >-
#   Fires for a switch of the parameter forbidden_cloud_sync that is anything but false.
# scope: document
# custom:
#   id: DAT002
#   severity: medium
#   input: settings
#   default: false
#   remediation: Turn the synchronization off.
#   requires:
#     - /settings/cloudSessionSync
#     - /settings/wikiCloudSync
#   tags:
#     - privacy
#   since: "0.1"
findings contains {
	"path": pointer.of(["settings", name]),
	"message": sprintf("%v is %v, so data may be copied to the cloud", [name, say.value(enabled)]),
} if {
	some name in params.value("forbidden_cloud_sync")
	enabled := input.settings[name]
	enabled != false
}
