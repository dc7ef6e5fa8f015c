# METADATA
# title: "No protection was weakened"
# description: >-
#   A protection that somebody turned off shows in the history with a name and a time, if anybody looks.
# scope: package
# schemas:
#   - input: schema.history
package govctl.history.his001

import data.govctl.lib.fields
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "No protection was weakened"
# description: >-
#   Fires when a switch leaves its safe value, an entry leaves a list that denies, or a list that limits
#   becomes empty, between two revisions. The table of protections stands in the rule.
# scope: document
# custom:
#   id: HIS001
#   severity: high
#   input: history
#   default: true
#   remediation: >-
#     Ask who changed it, and have it changed back or waive it with a reason.
#   requires:
#     - /from/settings
#     - /to/settings
#   tags:
#     - protection
#   since: "0.1"
findings contains {
	"path": pointer.of(array.concat(["to", "settings"], at)),
	"message": sprintf(
		"%v was %v and is %v since revision %v",
		[concat(".", at), safe, _now(at), say.value(input.to.revision)],
	),
} if {
	some at, safe in _switches
	fields.of(_settings("from"), at, null) == safe
	fields.of(_settings("to"), at, null) != safe
}

findings contains {
	"path": pointer.of(array.concat(["to", "settings"], at)),
	"message": sprintf(
		"%v lost %v in revision %v",
		[concat(".", at), say.list(lost), say.value(input.to.revision)],
	),
} if {
	some at in _denials
	lost := _entries("from", at) - _entries("to", at)
	count(lost) > 0
}

findings contains {
	"path": pointer.of(array.concat(["to", "settings"], at)),
	"message": sprintf(
		"%v had entries and has none since revision %v",
		[concat(".", at), say.value(input.to.revision)],
	),
} if {
	some at in _limits
	count(_entries("from", at)) > 0
	count(_entries("to", at)) == 0
}

# Switches and their safe value.
_switches := {
	["sandbox", "enabled"]: true,
	["sandbox", "network", "allowAllUnixSockets"]: false,
	["sandbox", "network", "allowLocalBinding"]: false,
	["enableAgentShield"]: true,
	["restrictApiKeyCreationToManagers"]: true,
	["restrictMemberVisibility"]: true,
	["mcpPolicy", "enabled"]: true,
	["missionPolicy", "restrictedAccess"]: true,
	["modelPolicy", "allowCustomModels"]: false,
	["modelPolicy", "allowAllServiceModels"]: false,
}

# Lists of what is denied: each entry protects.
_denials := {
	["commandDenylist"],
	["modelPolicy", "blockedModelIds"],
	["sandbox", "filesystem", "denyRead"],
	["sandbox", "filesystem", "denyWrite"],
}

# Lists of what is allowed: an empty one may allow everything.
_limits := {
	["byomComputersAllowedEmails"],
	["managedComputersAllowedEmails"],
	["mcpPolicy", "allowlist"],
	["missionPolicy", "allowedUserIds"],
	["modelPolicy", "allowedBaseUrls"],
	["modelPolicy", "allowedModelIds"],
	["networkPolicy", "allowedIps"],
	["strictKnownMarketplaces"],
}

_now(at) := "absent" if fields.of(_settings("to"), at, 0) != fields.of(_settings("to"), at, 1)

else := say.value(fields.of(_settings("to"), at, null))

# The settings of a side; what is no object holds nothing.
_settings(side) := input[side].settings if is_object(input[side].settings)

else := {}

# The entries of a list, none for anything else.
_entries(side, at) := {entry |
	list := fields.of(_settings(side), at, [])
	is_array(list)
	some entry in list
}
