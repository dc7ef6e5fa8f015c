# METADATA
# title: "MCP servers are limited to named ones"
# description: An MCP server gives the agent tools and text of whoever runs it.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.mcp002

import data.govctl.lib.fields
import data.govctl.lib.lists
import data.govctl.lib.params
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "MCP servers are limited to named ones"
# description: >-
#   Fires when mcpPolicy names no servers, because it is not on, or because its allowlist is empty,
#   absent or a wildcard. What the service then does is not stated; the parameters mcp_disabled_is_open
#   and mcp_empty_is_open say how to read it.
# scope: document
# custom:
#   id: MCP002
#   severity: high
#   input: settings
#   default: true
#   remediation: Turn the policy on and list the servers that are trusted.
#   requires:
#     - /settings/mcpPolicy/enabled
#   tags:
#     - mcp
#   since: "0.1"
findings contains {
	"path": "/settings/mcpPolicy/enabled",
	"message": sprintf("mcpPolicy.enabled is %v, which is read as no limit for MCP servers", [say.value(enabled)]),
} if {
	enabled := input.settings.mcpPolicy.enabled
	enabled != true
	params.value("mcp_disabled_is_open") != false
}

findings contains {
	"path": "/settings/mcpPolicy",
	"message": "mcpPolicy is on without a list of servers, which is read as no limit",
} if {
	policy := input.settings.mcpPolicy
	policy.enabled == true
	count(lists.texts(fields.of(policy, "allowlist", []))) == 0
	params.value("mcp_empty_is_open") != false
}

findings contains {
	"path": pointer.of(["settings", "mcpPolicy", "allowlist", i]),
	"message": sprintf("mcpPolicy allows %v, which covers every server", [say.value(entry)]),
} if {
	allowed := input.settings.mcpPolicy.allowlist
	count(lists.mentioned(allowed, ["*"])) > 0
	some i, entry in allowed
	is_string(entry)
	regex.match(`^\s*([a-z]+://)?[*.]*\*[*./]*\s*$`, entry)
}
