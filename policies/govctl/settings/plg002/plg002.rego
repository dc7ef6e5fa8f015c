# METADATA
# title: "Extra marketplaces come with a strict list"
# description: >-
#   Marketplaces that are added without a list of the permitted ones leave the door open for the next.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.plg002

import data.govctl.lib.marketplaces
import data.govctl.lib.say

# METADATA
# title: "Extra marketplaces come with a strict list"
# description: >-
#   Fires when extraKnownMarketplaces is not empty and strictKnownMarketplaces is empty, absent, null or
#   no list.
# scope: document
# custom:
#   id: PLG002
#   severity: high
#   input: settings
#   default: true
#   remediation: List the repositories of the trusted marketplaces in strictKnownMarketplaces.
#   requires:
#     - /settings/extraKnownMarketplaces
#   tags:
#     - plugins
#   since: "0.1"
findings contains {
	"path": "/settings/extraKnownMarketplaces",
	"message": sprintf(
		"extraKnownMarketplaces is %v and strictKnownMarketplaces names no repository",
		[say.value(extra)],
	),
} if {
	extra := input.settings.extraKnownMarketplaces
	not extra in [{}, [], null]
	not _names_repository
}

_names_repository if count(marketplaces.repos(input.settings.strictKnownMarketplaces)) > 0
