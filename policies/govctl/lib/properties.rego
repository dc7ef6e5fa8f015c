# METADATA
# title: Properties
# description: What is known of the form of a settings snapshot.
package govctl.lib.properties

# METADATA
# description: The types of the known properties of a snapshot, as `type_name` names them.
types := {
	"sessionDefaultSettings": "object",
	"mcpAutonomyOverrides": "object",
	"cloudSessionSync": "boolean",
	"wikiCloudSync": "boolean",
	"includeCoAuthoredByAgent": "boolean",
	"enableAgentShield": "boolean",
	"ideAutoConnect": "boolean",
	"commandAllowlist": "array",
	"commandDenylist": "array",
	"customModels": "array",
	"modelPolicy": "object",
	"mcpPolicy": "object",
	"missionPolicy": "object",
	"userModelPolicies": "object",
	"enabledPlugins": "object",
	"extraKnownMarketplaces": "object",
	"strictKnownMarketplaces": "array",
	"networkPolicy": "object",
	"sandbox": "object",
	"restrictMemberVisibility": "boolean",
	"restrictApiKeyCreationToManagers": "boolean",
	"managedComputersEnabled": "boolean",
	"byomComputersEnabled": "boolean",
	"managedComputersAllowedEmails": "array",
	"byomComputersAllowedEmails": "array",
	"sessionRetentionDays": "number",
	"serviceRouterGuidance": "string",
	"serviceRouterRules": "array",
}
