# METADATA
# schemas:
#   - input: schema.settings
package govctl.settings.sbx002

import data.govctl.lib.text

# METADATA
# title: No domain is open to everything
# scope: document
# custom:
#   id: SBX002
#   severity: high
#   input: settings
#   remediation: Name the domains that are needed.
findings contains {"path": path, "message": message} if {
	some i, domain in input.settings.sandbox.network.allowedDomains
	domain in data.params.forbidden_domains
	path := sprintf("/settings/sandbox/network/allowedDomains/%d", [i])
	message := sprintf("%s is allowed", [text.shout(domain)])
}
