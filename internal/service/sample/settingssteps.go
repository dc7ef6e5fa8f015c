package sample

// firstSteps are revisions 1 to 21: the organization sets itself up.
func firstSteps() []step {
	return []step{
		{"2026-02-02 09:12", ada(), []edit{{"sessionDefaultSettings", `{"model":"model-a","specModeModel":"model-a","runInWorktree":false}`}}},
		{"2026-02-03 10:40", ada(), []edit{{"includeCoAuthoredByAgent", `true`}, {"cloudSessionSync", `true`}}},
		{"2026-02-05 14:05", grace(), []edit{{"modelPolicy", `{"allowedModelIds":["model-a"],"blockedModelIds":[],"allowCustomModels":false,"allowAllServiceModels":false}`}}},
		{"2026-02-09 08:55", ada(), []edit{{"commandDenylist", `["rm -rf /","curl * | sh"]`}}},
		{"2026-02-12 16:20", linus(), []edit{{"commandAllowlist", `["go test ./...","npm test","make"]`}}},
		{"2026-02-17 11:31", ada(), []edit{{"managedComputersEnabled", `true`}, {"byomComputersEnabled", `true`}}},
		{"2026-02-23 09:02", ada(), []edit{{"restrictApiKeyCreationToManagers", `true`}, {"restrictMemberVisibility", `false`}}},
		{"2026-03-02 13:47", grace(), []edit{{"modelPolicy/allowedModelIds", `["model-a","model-b"]`}}},
		{"2026-03-04 02:00", automation(), []edit{{"sessionRetentionDays", `30`}}},
		{"2026-03-10 15:12", linus(), []edit{{"mcpPolicy", `{"enabled":true,"allowlist":["https://mcp.acme.example"]}`}}},
		{"2026-03-16 10:10", ada(), []edit{{"enableAgentShield", `true`}}},
		{"2026-03-23 09:26", linus(), []edit{{"sandbox", `{"enabled":true,
			"filesystem":{"allowWrite":["./"],"allowRead":["./","/usr/share"],"denyWrite":["./.git/hooks"],"denyRead":["~/.ssh"]},
			"network":{"allowedDomains":["git.example.com"],"allowUnixSockets":[],"allowAllUnixSockets":false,"allowLocalBinding":false}}`}}},
		{"2026-03-30 12:00", linus(), []edit{{"sandbox/network/allowedDomains", `["git.example.com","packages.acme.example"]`}}},
		{"2026-04-07 09:45", ada(), []edit{{"wikiCloudSync", `true`}, {"ideAutoConnect", `true`}}},
		{"2026-04-13 02:00", automation(), []edit{
			{"byomComputersAllowedEmails", `["ada@acme.example","linus@acme.example"]`},
			{"managedComputersAllowedEmails", `["ada@acme.example","grace@acme.example"]`}}},
		{"2026-04-20 17:33", grace(), []edit{{"modelPolicy/allowedModelIds", `["model-a","model-b","model-legacy"]`}}},
		{"2026-04-28 11:18", linus(), []edit{{"networkPolicy", `{"allowedIps":["203.0.113.0/24"]}`}}},
		{"2026-05-06 08:21", ada(), []edit{{"missionPolicy", `{"restrictedAccess":true,"allowedUserIds":["usr_001","usr_002"]}`}}},
		{"2026-05-12 14:59", linus(), []edit{{"sandbox/network/httpProxyPort", `3128`}}},
		{"2026-05-19 10:03", grace(), []edit{{"sessionRetentionDays", `90`}}},
		{"2026-05-27 09:37", ada(), []edit{
			{"enabledPlugins", `{"code-review@acme":true,"diagrams@acme":false}`},
			{"extraKnownMarketplaces", `{"acme":{"source":{"source":"git","url":"https://git.example.com/acme/plugins"}}}`},
			{"strictKnownMarketplaces", `[{"repo":"acme/plugins"}]`}}},
	}
}

// lastSteps are revisions 22 to 42: custom models, exceptions, and changes that come and go.
func lastSteps() []step {
	const model = `"model":"acme-code-7b","id":"custom:acme-code-7b","index":0,"baseUrl":"https://models.acme.example/v1",` +
		`"apiKey":"sample-not-a-real-key","displayName":"Acme Code 7B","enableThinking":false,"noImageSupport":true,` +
		`"maxContextLimit":65536,"thinkingMaxTokens":0,"extraHeaders":{"X-Team":"ml"},"extraArgs":{"temperature":0.2}`
	const bedrock = `"bedrock":{"awsProfile":"sample","awsRegion":"eu-central-1","bedrockBaseUrl":"https://bedrock.acme.example",` +
		`"awsAuthRefresh":"aws sso login","awsCredentialExport":"aws configure export-credentials"}`
	return []step{
		{"2026-06-03 15:50", linus(), []edit{{"mcpAutonomyOverrides", `{"https://mcp.acme.example":"auto-low"}`}}},
		{"2026-06-11 10:22", grace(), []edit{
			{"customModels", `[{` + model + `,"maxOutputTokens":4096,` + bedrock + `}]`},
			{"modelPolicy/allowCustomModels", `true`},
			{"modelPolicy/allowedBaseUrls", `["https://models.acme.example/v1"]`}}},
		{"2026-06-18 09:08", ada(), []edit{
			{"serviceRouterGuidance", `"Prefer the cheapest model that passes the tests."`},
			{"serviceRouterRules", `[{"guidance":"use model-c","when":"the change touches machine learning code"}]`}}},
		{"2026-06-25 02:00", automation(), []edit{{"byomComputersAllowedEmails", `["ada@acme.example","linus@acme.example","barbara@acme.example"]`}}},
		{"2026-07-02 13:15", grace(), []edit{{"userModelPolicies", `{"usr_002":{"allowedModelIds":["model-a","model-b","model-c","model-legacy"],"blockedModelIds":[]}}`}}},
		{"2026-07-08 18:04", linus(), []edit{{"sandbox/network/allowAllUnixSockets", `true`}}},
		{"2026-07-09 07:41", linus(), []edit{{"sandbox/network/allowAllUnixSockets", `false`}}},
		{"2026-07-20 11:29", grace(), []edit{{"modelPolicy/allowedModelIds", `["model-a","model-b","model-c","model-legacy"]`}}},
		{"2026-07-29 09:55", ada(), []edit{{"commandDenylist", `["rm -rf /","curl * | sh","git push --force"]`}}},
		{"2026-08-04 02:00", automation(), []edit{{"wikiCloudSync", `false`}}},
		{"2026-08-05 08:30", ada(), []edit{{"wikiCloudSync", `true`}}},
		{"2026-08-17 16:06", linus(), []edit{
			{"sandbox/filesystem/denyRead", `["~/.ssh","~/.aws"]`}, {"sandbox/network/socksProxyPort", `1080`}}},
		{"2026-08-26 10:48", grace(), []edit{{"modelPolicy/isFastModelsAllowed", `true`}}},
		{"2026-09-03 02:00", automation(), []edit{{"networkPolicy/allowedIps", `["203.0.113.0/24","198.51.100.0/24"]`}}},
		{"2026-09-14 14:17", grace(), []edit{
			{"modelPolicy/allowedModelIds", `["model-a","model-b","model-c"]`}, {"modelPolicy/blockedModelIds", `["model-legacy"]`}}},
		{"2026-09-22 19:52", linus(), []edit{{"sandbox/enabled", `false`}}},
		{"2026-10-01 09:14", ada(), []edit{{"enableAgentShield", `false`}}},
		{"2026-10-02 08:37", ada(), []edit{{"enableAgentShield", `true`}}},
		{"2026-10-13 11:05", grace(), []edit{{"customModels", `[{` + model + `,"maxOutputTokens":8192}]`}}},
		{"2026-10-27 15:44", linus(), []edit{{"sandbox/network/socksProxyPort", ``}, {"sandbox/network/allowLocalBinding", `true`}}},
		{"2026-11-09 02:00", automation(), []edit{
			{"managedComputersAllowedEmails", `["ada@acme.example","grace@acme.example","linus@acme.example"]`},
			{"restrictMemberVisibility", `true`}}},
	}
}
