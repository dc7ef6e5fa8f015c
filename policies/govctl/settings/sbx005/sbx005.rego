# METADATA
# title: "The sandbox opens no local ports"
# description: >-
#   A server that the agent starts can be reached by everything else on the machine, and often from the
#   network.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.sbx005

import data.govctl.lib.say

# METADATA
# title: "The sandbox opens no local ports"
# description: Fires when sandbox.network.allowLocalBinding is anything but false.
# scope: document
# custom:
#   id: SBX005
#   severity: medium
#   input: settings
#   default: true
#   remediation: >-
#     Set allowLocalBinding to false, or waive the finding where people need development servers.
#   requires:
#     - /settings/sandbox/network/allowLocalBinding
#   tags:
#     - sandbox
#     - network
#   since: "0.1"
findings contains {
	"path": "/settings/sandbox/network/allowLocalBinding",
	"message": sprintf("allowLocalBinding is %v, so sandboxed commands may offer services", [say.value(allowed)]),
} if {
	allowed := input.settings.sandbox.network.allowLocalBinding
	allowed != false
}
