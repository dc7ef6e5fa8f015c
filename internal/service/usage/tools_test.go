package usage_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/service/usage"
)

func tool(user, name, server, delegation string) usage.Span {
	return usage.Span{Kind: usage.ToolCall, UserID: user, Name: name, Detail: server, Delegation: delegation}
}

// TestToolsF10ToF20 counts calls, MCP, skills, slash commands and hooks (C49-C60). Case
// variants stay apart (C68) and names are not cleaned (C69).
func TestToolsF10ToF20(t *testing.T) {
	t.Parallel()
	named := func(kind usage.Kind, name string) usage.Span { return usage.Span{Kind: kind, Name: name} }
	hook := func(event, matcher, command string) usage.Span {
		return usage.Span{Kind: usage.HookRun, Name: event, Detail: matcher, Command: command}
	}
	got := resultOf(
		tool("a", "Read", "", ""), tool("b", "Read", "", ""), tool("a", "Edit", "GitHub", ""), tool("b", "<x>", "github", ""), tool("b", "<x>", "github", ""),
		named(usage.SkillActivation, "z"), named(usage.SkillActivation, "z"), named(usage.SkillActivation, "b"), named(usage.SkillActivation, "a"),
		named(usage.SlashCommand, "/q"),
		hook("Stop", "", "b"), hook("Stop", "", "a"), hook("PostToolUse", "*", "z"), hook("Stop", "x", "a"), hook("Stop", "", "b"),
		hook("Stop", "x", "0"), hook("Stop", "w", "z"), hook("Stop", "y", "0"), hook("Stop", "", "c"),
		usage.Span{Kind: usage.GitCommit, UserID: "w", Client: usage.ClientWeb}, usage.Span{Kind: usage.GitCommit, UserID: "w", Client: "WEB"},
	).Tools
	equal(t, "row", got, api.ToolRow{
		Date: today, ToolCalls: "5", // F10
		ByTool:                   []api.ToolCount{{Tool: "<x>", Invocations: "2"}, {Tool: "Read", Invocations: "2"}, {Tool: "Edit", Invocations: "1"}}, // F11
		MCPUsersWithMCP:          number("2"),                                                                                                          // F12
		MCPByServer:              []api.ServerCount{{Server: "github", Invocations: "2"}, {Server: "GitHub", Invocations: "1"}},                        // F13
		SkillsInvocations:        number("4"),                                                                                                          // F14
		SkillsByName:             []api.NameCount{{Name: "z", Count: "2"}, {Name: "a", Count: "1"}, {Name: "b", Count: "1"}},                           // F15
		SlashCommandsInvocations: number("1"),                                                                                                          // F16
		SlashCommandsByName:      []api.NameCount{{Name: "/q", Count: "1"}},                                                                            // F17
		HooksInvocations:         number("9"),                                                                                                          // F18
		HooksByEvent: []api.HookCount{ // F19
			{Event: "Stop", Matcher: "", Command: "b", Count: "2"}, {Event: "PostToolUse", Matcher: "*", Command: "z", Count: "1"},
			{Event: "Stop", Matcher: "", Command: "a", Count: "1"}, {Event: "Stop", Matcher: "", Command: "c", Count: "1"},
			{Event: "Stop", Matcher: "w", Command: "z", Count: "1"}, {Event: "Stop", Matcher: "x", Command: "0", Count: "1"},
			{Event: "Stop", Matcher: "x", Command: "a", Count: "1"}, {Event: "Stop", Matcher: "y", Command: "0", Count: "1"},
		},
		WebUsers:         number("1"),                                                               // F20
		AutonomyRatioAvg: number("0"), AutonomyRatioP50: number("0"), AutonomyRatioP90: number("0"), // U16: no user message
		ToolCallsPerSessionAvg: number("5"), UserTurnsPerSessionAvg: number("0"),
		ToolAutonomyLevelRatio: map[string]json.Number{"auto_high": "0", "auto_medium": "0", "auto_low": "0", "manual": "0"},
	})
}

// sessions makes one session per pair of tool calls and user messages.
func sessions(calls ...[2]int) []usage.Span {
	var spans []usage.Span
	for i, c := range calls {
		id := fmt.Sprint("s", i)
		spans = append(spans, times(c[0], usage.Span{Kind: usage.ToolCall, SessionID: id})...)
		spans = append(spans, times(c[1], usage.Span{Kind: usage.Message, Name: usage.RoleUser, SessionID: id})...)
	}
	return spans
}

// TestAutonomyF21ToF25 holds the ratios of sessions: type 7 (U17), sessions without a
// user message in none of the three, all active sessions below the averages (C61-C65).
func TestAutonomyF21ToF25(t *testing.T) {
	t.Parallel()
	quiet := usage.Span{Kind: usage.GitCommit, SessionID: "quiet"}
	for name, c := range map[string]struct {
		spans                       []usage.Span
		avg, p50, p90, calls, turns json.Number
	}{
		"nothing U16":         {nil, "0", "0", "0", "0", "0"},
		"one":                 {sessions([2]int{3, 2}), "1.5", "1.5", "1.5", "3", "2"},
		"two":                 {sessions([2]int{1, 1}, [2]int{2, 1}), "1.5", "1.5", "1.9", "1.5", "1"},
		"median of four":      {sessions([2]int{4, 1}, [2]int{1, 1}, [2]int{3, 1}, [2]int{2, 1}), "2.5", "2.5", "3.7", "2.5", "1"},
		"rank is whole":       {sessions([2]int{0, 1}, [2]int{1, 1}, [2]int{2, 1}, [2]int{3, 1}, [2]int{4, 1}, [2]int{5, 1}, [2]int{6, 1}, [2]int{7, 1}, [2]int{8, 1}, [2]int{9, 1}, [2]int{10, 1}), "5", "5", "9", "5", "1"},
		"thirds":              {sessions([2]int{1, 3}), "0.3333333333333333", "0.3333333333333333", "0.3333333333333333", "1", "3"},
		"without a turn":      {sessions([2]int{9, 0}, [2]int{2, 1}), "2", "2", "2", "5.5", "0.5"},
		"without either, A":   {append(sessions([2]int{2, 1}), quiet), "2", "2", "2", "1", "0.5"},
		"only without a turn": {sessions([2]int{9, 0}), "0", "0", "0", "9", "0"},
		"assistant is no turn": {[]usage.Span{{Kind: usage.Message, Name: usage.RoleAssistant}, {Kind: usage.Message, Name: usage.RoleSystem},
			{Kind: usage.Message, Name: usage.RoleTool}, {Kind: usage.ToolCall}}, "0", "0", "0", "1", "0"},
		"two users, one session": {[]usage.Span{{Kind: usage.Message, Name: usage.RoleUser, UserID: "a"}, {Kind: usage.ToolCall, UserID: "b"}}, "1", "1", "1", "1", "1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := resultOf(c.spans...).Tools
			got := []json.Number{*r.AutonomyRatioAvg, *r.AutonomyRatioP50, *r.AutonomyRatioP90, *r.ToolCallsPerSessionAvg, *r.UserTurnsPerSessionAvg}
			equal(t, "avg p50 p90 calls turns", got, []json.Number{c.avg, c.p50, c.p90, c.calls, c.turns})
		})
	}
}

// TestLevelRatioF26: underscores in the keys (T44), spec and unknown delegations in
// neither part of the fraction (U18), zeros without calls (U16).
func TestLevelRatioF26(t *testing.T) {
	t.Parallel()
	calls := func(delegations ...string) (spans []usage.Span) {
		for _, d := range delegations {
			spans = append(spans, tool("u", "t", "", d))
		}
		return spans
	}
	for name, c := range map[string]struct {
		spans                     []usage.Span
		high, medium, low, manual json.Number
	}{
		"none":             {nil, "0", "0", "0", "0"},
		"each":             {calls("auto-high", "auto-medium", "auto-low", "manual"), "0.25", "0.25", "0.25", "0.25"},
		"one":              {calls("auto-low"), "0", "0", "1", "0"},
		"spec and unknown": {calls("spec", "spec", "yolo", "", "auto_high", "manual", "auto-high"), "0.5", "0", "0", "0.5"},
		"only spec":        {calls("spec"), "0", "0", "0", "0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := map[string]json.Number{"auto_high": c.high, "auto_medium": c.medium, "auto_low": c.low, "manual": c.manual}
			equal(t, "ratios", resultOf(c.spans...).Tools.ToolAutonomyLevelRatio, want)
		})
	}
}

// TestToolsByNameF27 is one row per tool, key ascending by bytes (C67, U2).
func TestToolsByNameF27(t *testing.T) {
	t.Parallel()
	got := resultOf(tool("u", "a", "", ""), tool("u", "Z", "", ""), tool("u", "a", "", ""), tool("u", "", "", "")).ToolsByName
	none, a, z := "", "a", "Z"
	equal(t, "rows", got, []api.ToolRow{
		{Date: today, GroupKey: &none, ToolCalls: "1"}, {Date: today, GroupKey: &z, ToolCalls: "1"}, {Date: today, GroupKey: &a, ToolCalls: "2"},
	})
}
