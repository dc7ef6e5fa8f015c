# METADATA
# title: "The agent shield is on"
# description: >-
#   The shield is the service's own check of what the agent is about to do.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.shd001

import data.govctl.lib.say

# METADATA
# title: "The agent shield is on"
# description: Fires when enableAgentShield is anything but true.
# scope: document
# custom:
#   id: SHD001
#   severity: high
#   input: settings
#   default: true
#   remediation: Turn the agent shield on.
#   requires:
#     - /settings/enableAgentShield
#   tags:
#     - shield
#   since: "0.1"
findings contains {
	"path": "/settings/enableAgentShield",
	"message": sprintf("enableAgentShield is %v, so the shield protects nobody", [say.value(enabled)]),
} if {
	enabled := input.settings.enableAgentShield
	enabled != true
}
