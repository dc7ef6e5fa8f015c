# METADATA
# title: "The service is reached from named networks only"
# description: Without a list of networks a stolen key works from everywhere.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.acc004

# METADATA
# title: "The service is reached from named networks only"
# description: >-
#   Fires when networkPolicy.allowedIps is empty, absent or no list. The rule is off by default, so
#   absence counts here instead of being indeterminate.
# scope: document
# custom:
#   id: ACC004
#   severity: medium
#   input: settings
#   default: false
#   remediation: List the networks of your offices and gateways in networkPolicy.allowedIps.
#   requires:
#     - /settings
#   tags:
#     - access
#     - network
#   since: "0.1"
findings contains {
	"path": "/settings/networkPolicy",
	"message": "networkPolicy.allowedIps names no network, so the service may be reached from anywhere",
} if {
	settings := input.settings
	not _names_networks(settings)
}

_names_networks(settings) if {
	is_array(settings.networkPolicy.allowedIps)
	count(settings.networkPolicy.allowedIps) > 0
}
