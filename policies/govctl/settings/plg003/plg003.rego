# METADATA
# title: "Marketplaces belong to known owners"
# description: >-
#   A repository of an owner with nearly the right name is the usual way to slip in a plugin.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.plg003

import data.govctl.lib.marketplaces
import data.govctl.lib.params
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "Marketplaces belong to known owners"
# description: >-
#   Fires for a repo of strictKnownMarketplaces whose owner is not in the parameter marketplace_owners,
#   compared without regard to case.
# scope: document
# custom:
#   id: PLG003
#   severity: medium
#   input: settings
#   default: false
#   remediation: >-
#     Remove the marketplace, or add its owner to the parameter.
#   requires:
#     - /settings/strictKnownMarketplaces
#   tags:
#     - plugins
#   since: "0.1"
findings contains {
	"path": pointer.of(["settings", "strictKnownMarketplaces", i, "repo"]),
	"message": sprintf("the owner of %v is not one of marketplace_owners", [say.value(entry.repo)]),
} if {
	owners := {lower(o) | some o in params.value("marketplace_owners")}
	some i, entry in input.settings.strictKnownMarketplaces
	not marketplaces.owner(entry.repo) in owners
}

findings contains problem if some problem in marketplaces.problems(input.settings.strictKnownMarketplaces)
