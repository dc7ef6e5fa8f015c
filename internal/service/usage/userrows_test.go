package usage_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/service/usage"
)

// TestUsersF42ToF61 has every field of one busy user, and rows in the order of ids for
// everyone who did anything (C90-C110, U2).
func TestUsersF42ToF61(t *testing.T) {
	t.Parallel()
	say := func(role string) usage.Span { return usage.Span{Kind: usage.Message, Name: role} }
	got := resultOf(
		usage.Span{Kind: usage.SessionStart}, say(usage.RoleUser), say(usage.RoleUser), say(usage.RoleAssistant), say(usage.RoleTool),
		tool("u", "t", "", "auto-low"), tool("u", "t", "mcp", "auto-low"), tool("u", "t", "", "manual"), request("u", "m", usage.TierThinking, 12),
		file(".go", "", true), file(".go", "", false), file(".c", "", false), usage.Span{Kind: usage.GitCommit}, usage.Span{Kind: usage.PullRequest},
		usage.Span{Kind: usage.SkillActivation}, usage.Span{Kind: usage.SlashCommand}, usage.Span{Kind: usage.HookRun},
		usage.Span{Kind: usage.SlashCommand, UserID: "t", UserEmail: "t@x", SessionID: "t"},
	).Users
	equal(t, "rows", got, []api.UserRow{
		{
			UserID: "t", UserEmail: text("t@x"), Date: today, ToolCalls: "0", BillableTokens: number("0"),
			PrimaryModel: "", PrimaryModelTier: "standard", // U20
			FilesCreated: "0", FilesEdited: "0", GitCommits: "0", GitPRs: "0", MCPCalls: "0", SkillCalls: "0", SlashCommands: "1", Hooks: "0",
			Sessions: "1", Messages: "0", UserMessages: "0", AssistantMessages: "0", AutonomyRatio: "0", DelegationLevel: "manual", Languages: []string{},
		},
		{
			UserID: "u", Date: today, ToolCalls: "3", BillableTokens: number("12"), PrimaryModel: "m", PrimaryModelTier: "thinking",
			FilesCreated: "1", FilesEdited: "2", GitCommits: "1", GitPRs: "1", MCPCalls: "1", SkillCalls: "1", SlashCommands: "1", Hooks: "1",
			Sessions: "1", Messages: "3", UserMessages: "2", AssistantMessages: "1", AutonomyRatio: "1.5", DelegationLevel: "auto-low", Languages: []string{"Go", "C"},
		},
	})
}

// TestPrimaryModelF47F48 holds the ties: requests, credits, name; and of the tier:
// requests, then standard.
func TestPrimaryModelF47F48(t *testing.T) {
	t.Parallel()
	m := func(model, tier string, input int64) usage.Span { return request("u", model, tier, input) }
	const standard, thinking = usage.TierStandard, usage.TierThinking
	for name, c := range map[string]struct {
		spans       []usage.Span
		model, tier string
	}{
		"none U20":            {[]usage.Span{{Kind: usage.GitCommit}}, "", standard},
		"most requests":       {[]usage.Span{m("a", standard, 900), m("b", standard, 1), m("b", standard, 1)}, "b", standard},
		"requests of tiers":   {[]usage.Span{m("a", standard, 1), m("b", standard, 1), m("b", thinking, 1), m("a", standard, 1), m("b", thinking, 1)}, "b", thinking},
		"tie: more credits":   {[]usage.Span{m("a", standard, 1), m("b", thinking, 2)}, "b", thinking},
		"tie: name":           {[]usage.Span{m("b", standard, 1), m("a", thinking, 1)}, "a", thinking},
		"tier tie: standard":  {[]usage.Span{m("a", thinking, 9), m("a", standard, 1)}, "a", standard},
		"nameless model wins": {[]usage.Span{m("", thinking, 9), m("a", standard, 1)}, "", thinking},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := resultOf(c.spans...).Users[0]
			equal(t, "model, tier", []string{got.PrimaryModel, got.PrimaryModelTier}, []string{c.model, c.tier})
		})
	}
}

// TestDelegationF60 holds the ties and what counts without a tool call (C108).
func TestDelegationF60(t *testing.T) {
	t.Parallel()
	call := func(d string) usage.Span { return tool("u", "t", "", d) }
	start := func(d string, at int64) usage.Span {
		return usage.Span{Kind: usage.SessionStart, Delegation: d, Start: at, Resumed: true}
	}
	for name, c := range map[string]struct {
		spans []usage.Span
		want  string
	}{
		"none":                      {[]usage.Span{{Kind: usage.GitCommit}}, "manual"},
		"most calls":                {[]usage.Span{call("auto-high"), call("manual"), call("manual")}, "manual"},
		"tie: high over medium":     {[]usage.Span{call("auto-medium"), call("auto-high")}, "auto-high"},
		"tie: medium over low":      {[]usage.Span{call("auto-low"), call("auto-medium")}, "auto-medium"},
		"tie: low over spec":        {[]usage.Span{call("spec"), call("auto-low")}, "auto-low"},
		"tie: spec over manual":     {[]usage.Span{call("manual"), call("spec")}, "spec"},
		"calls before starts":       {[]usage.Span{call("spec"), start("auto-high", noon(9))}, "spec"},
		"last start":                {[]usage.Span{start("spec", noon(2)), start("auto-low", noon(1))}, "spec"},
		"starts at once":            {[]usage.Span{start("spec", noon(1)), start("auto-low", noon(1))}, "auto-low"},
		"last start that names one": {[]usage.Span{start("spec", noon(1)), start("", noon(2)), start("own", noon(3))}, "spec"},
		"calls that name none":      {[]usage.Span{call(""), call("own"), start("auto-low", noon(1))}, "auto-low"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			equal(t, "level", resultOf(c.spans...).Users[0].DelegationLevel, c.want)
			slices.Reverse(c.spans)
			equal(t, "level, the other way round", resultOf(c.spans...).Users[0].DelegationLevel, c.want)
		})
	}
}

// TestLanguagesF61: files descending, then name; Other is one of them.
func TestLanguagesF61(t *testing.T) {
	t.Parallel()
	got := resultOf(file(".go", "", false), file(".c", "", false), file(".x9", "", true), file(".x8", "", true), file(".ada", "Ada", true)).Users[0].Languages
	equal(t, "languages", got, []string{"Other", "Ada", "C", "Go"})
}

// TestZeroDayU7: a day without activity has rows of zeros, no groups, and lists that are
// empty, not null.
func TestZeroDayU7(t *testing.T) {
	t.Parallel()
	r := resultOf()
	zero := number("0")
	equal(t, "result", r, usage.Result{
		Tokens: api.TokenRow{Date: today, BillableTokens: zero, InputTokens: "0", OutputTokens: "0", CacheReadTokens: zero, CacheWriteTokens: zero,
			ByModel: []api.ModelUsage{}, ByUser: []api.UserUsage{}},
		TokensByModel: []api.TokenRow{},
		Tools: api.ToolRow{Date: today, ToolCalls: "0", ByTool: []api.ToolCount{}, MCPUsersWithMCP: zero, MCPByServer: []api.ServerCount{},
			SkillsInvocations: zero, SkillsByName: []api.NameCount{}, SlashCommandsInvocations: zero, SlashCommandsByName: []api.NameCount{},
			HooksInvocations: zero, HooksByEvent: []api.HookCount{}, WebUsers: zero, AutonomyRatioAvg: zero, AutonomyRatioP50: zero, AutonomyRatioP90: zero,
			ToolCallsPerSessionAvg: zero, UserTurnsPerSessionAvg: zero,
			ToolAutonomyLevelRatio: map[string]json.Number{"auto_high": "0", "auto_medium": "0", "auto_low": "0", "manual": "0"}},
		ToolsByName: []api.ToolRow{},
		Activity: api.ActivityRow{Date: today, DailyActiveUsers: "0", WeeklyActiveUsers: zero, MonthlyActiveUsers: zero,
			DailyActiveUsersByClient: map[string]json.Number{"terminal-ui": "0", "web": "0", "non-interactive-cli": "0"},
			Sessions:                 zero, Messages: zero, UserMessages: zero},
		ActivityByClient: []api.ActivityRow{},
		Productivity: api.ProductivityRow{Date: today, FilesCreated: "0", FilesEdited: "0", ByExtension: []api.ExtensionCount{}, ByLanguage: []api.LanguageCount{},
			GitCommits: "0", GitPRs: "0"},
		Users: []api.UserRow{},
	})
}
