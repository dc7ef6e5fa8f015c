# METADATA
# title: "Plugins come from listed marketplaces"
# description: >-
#   A plugin runs with the rights of the agent, so its source is part of the supply chain.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.plg001

import data.govctl.lib.marketplaces
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "Plugins come from listed marketplaces"
# description: >-
#   Fires for an enabled plugin whose marketplace is not in a non-empty strictKnownMarketplaces. A
#   plugin is read as NAME@MARKETPLACE, and a marketplace belongs to a listed repo if its source in
#   extraKnownMarketplaces ends with that repo, or if it has the repo's name or owner where no source is
#   given. The shape of both properties is not stated, so this is a hint.
# scope: document
# custom:
#   id: PLG001
#   severity: high
#   input: settings
#   default: true
#   remediation: >-
#     Disable the plugin, or have its marketplace reviewed and listed.
#   requires:
#     - /settings/enabledPlugins
#     - /settings/strictKnownMarketplaces
#   tags:
#     - plugins
#   since: "0.1"
findings contains {
	"path": pointer.of(["settings", "enabledPlugins", at]),
	"message": sprintf(
		"plugin %v is enabled and comes from no marketplace of strictKnownMarketplaces",
		[say.value(plugin)],
	),
} if {
	repos := marketplaces.repos(input.settings.strictKnownMarketplaces)
	count(repos) > 0
	some [at, plugin] in _enabled(input.settings.enabledPlugins)
	not _from(plugin, repos, _known)
}

findings contains {
	"path": "/settings/enabledPlugins",
	"message": sprintf("enabledPlugins is %v, which cannot be judged", [say.value(plugins)]),
} if {
	plugins := input.settings.enabledPlugins
	not is_object(plugins)
	not is_array(plugins)
}

findings contains problem if some problem in marketplaces.problems(input.settings.strictKnownMarketplaces)

default _known := {}

_known := input.settings.extraKnownMarketplaces

_enabled(plugins) := {[name, name] | some name, value in plugins; value != false} if is_object(plugins)

_enabled(plugins) := {[i, name] | some i, name in plugins} if is_array(plugins)

_from(plugin, repos, known) if {
	is_string(plugin)
	contains(plugin, "@")
	parts := split(plugin, "@")
	marketplaces.listed(parts[count(parts) - 1], repos, known)
}
