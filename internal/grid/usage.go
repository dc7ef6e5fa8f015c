package grid

import (
	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/org"
)

// The rows of analytics keep the names that the API has for their fields. Nothing in them
// is added up: people and ratios of several days cannot be (T40).

// Tokens are days of /tokens (C40-C47).
func Tokens() Of[api.TokenRow] {
	type r = api.TokenRow
	return Of[r]{[]cell[r]{
		brief("date", "UTC day", func(x *r) any { return x.Date }),
		brief("billable_tokens", "standard credits; absent: hidden by the organization", func(x *r) any { return number(x.BillableTokens) }),
		brief("input_tokens", "", func(x *r) any { return x.InputTokens }),
		brief("output_tokens", "", func(x *r) any { return x.OutputTokens }),
		brief("cache_read_tokens", "", func(x *r) any { return number(x.CacheReadTokens) }),
		brief("cache_write_tokens", "", func(x *r) any { return number(x.CacheWriteTokens) }),
		nested("by_model", "", func(x *r) any { return list(x.ByModel) }),
		nested("by_user", "", func(x *r) any { return list(x.ByUser) }),
	}}
}

// TokensByModel are models of days of /tokens (C48).
func TokensByModel() Of[api.TokenRow] {
	type r = api.TokenRow
	return Of[r]{[]cell[r]{
		brief("date", "UTC day", func(x *r) any { return x.Date }),
		brief("group_key", "model", func(x *r) any { return optional(x.GroupKey) }),
		brief("billable_tokens", "standard credits; absent: hidden by the organization", func(x *r) any { return number(x.BillableTokens) }),
		brief("input_tokens", "", func(x *r) any { return x.InputTokens }),
		brief("output_tokens", "", func(x *r) any { return x.OutputTokens }),
	}}
}

// Tools are days of /tools (C49-C66).
func Tools() Of[api.ToolRow] {
	type r = api.ToolRow
	level := func(name string) cell[r] {
		return wide(name+"_ratio", "share of tool calls at this autonomy level", func(x *r) any {
			if n, ok := x.ToolAutonomyLevelRatio[name]; ok {
				return n
			}
			return nil
		})
	}
	return Of[r]{[]cell[r]{
		brief("date", "UTC day", func(x *r) any { return x.Date }),
		brief("tool_calls", "", func(x *r) any { return x.ToolCalls }),
		brief("mcp_users_with_mcp", "people who used MCP servers", func(x *r) any { return number(x.MCPUsersWithMCP) }),
		brief("skills_invocations", "", func(x *r) any { return number(x.SkillsInvocations) }),
		brief("slash_commands_invocations", "", func(x *r) any { return number(x.SlashCommandsInvocations) }),
		brief("hooks_invocations", "", func(x *r) any { return number(x.HooksInvocations) }),
		brief("web_users", "people who used the web interface", func(x *r) any { return number(x.WebUsers) }),
		wide("autonomy_ratio_avg", "tool calls for a user turn", func(x *r) any { return number(x.AutonomyRatioAvg) }),
		brief("autonomy_ratio_p50", "", func(x *r) any { return number(x.AutonomyRatioP50) }),
		wide("autonomy_ratio_p90", "", func(x *r) any { return number(x.AutonomyRatioP90) }),
		wide("tool_calls_per_session_avg", "", func(x *r) any { return number(x.ToolCallsPerSessionAvg) }),
		wide("user_turns_per_session_avg", "", func(x *r) any { return number(x.UserTurnsPerSessionAvg) }),
		level("auto_high"), level("auto_medium"), level("auto_low"), level("manual"),
		nested("by_tool", "", func(x *r) any { return list(x.ByTool) }),
		nested("mcp_by_server", "as counted; spellings of one server are apart", func(x *r) any { return list(x.MCPByServer) }),
		nested("skills_by_name", "", func(x *r) any { return list(x.SkillsByName) }),
		nested("slash_commands_by_name", "", func(x *r) any { return list(x.SlashCommandsByName) }),
		nested("hooks_by_event", "commands without what looks like a secret", func(x *r) any { return hooks(x.HooksByEvent) }),
	}}
}

// ToolsByName are tools of days of /tools (C67). A few names are no tools' (C69): they are
// kept, and recognized says so (T43).
func ToolsByName() Of[api.ToolRow] {
	type r = api.ToolRow
	return Of[r]{[]cell[r]{
		brief("date", "UTC day", func(x *r) any { return x.Date }),
		brief("group_key", "tool", func(x *r) any { return optional(x.GroupKey) }),
		brief("tool_calls", "", func(x *r) any { return x.ToolCalls }),
		brief("recognized", "false: the name is none that a tool can have", func(x *r) any {
			return x.GroupKey != nil && org.IsToolName(*x.GroupKey)
		}),
	}}
}

// Activity are days of /activity (C70-C78).
func Activity() Of[api.ActivityRow] {
	type r = api.ActivityRow
	return Of[r]{[]cell[r]{
		brief("date", "UTC day", func(x *r) any { return x.Date }),
		brief("daily_active_users", "", func(x *r) any { return x.DailyActiveUsers }),
		brief("weekly_active_users", "in the 7 days that end with this one", func(x *r) any { return number(x.WeeklyActiveUsers) }),
		brief("monthly_active_users", "in the 30 days that end with this one", func(x *r) any { return number(x.MonthlyActiveUsers) }),
		brief("sessions", "sessions started", func(x *r) any { return number(x.Sessions) }),
		brief("messages", "", func(x *r) any { return number(x.Messages) }),
		brief("user_messages", "", func(x *r) any { return number(x.UserMessages) }),
		nested("daily_active_users_by_client", "who used several is in each", func(x *r) any {
			if x.DailyActiveUsersByClient == nil {
				return nil
			}
			return decoded(x.DailyActiveUsersByClient)
		}),
	}}
}

// ActivityByClient are client types of days of /activity (C79-C81).
func ActivityByClient() Of[api.ActivityRow] {
	type r = api.ActivityRow
	return Of[r]{[]cell[r]{
		brief("date", "UTC day", func(x *r) any { return x.Date }),
		brief("group_key", "terminal-ui, web, non-interactive-cli", func(x *r) any { return optional(x.GroupKey) }),
		brief("daily_active_users", "who used several clients is in each", func(x *r) any { return x.DailyActiveUsers }),
	}}
}

// Productivity are days of /productivity (C82-C89).
func Productivity() Of[api.ProductivityRow] {
	type r = api.ProductivityRow
	return Of[r]{[]cell[r]{
		brief("date", "UTC day", func(x *r) any { return x.Date }),
		brief("files_created", "", func(x *r) any { return x.FilesCreated }),
		brief("files_edited", "", func(x *r) any { return x.FilesEdited }),
		brief("git_commits", "", func(x *r) any { return x.GitCommits }),
		brief("git_prs_created", "", func(x *r) any { return x.GitPRs }),
		nested("by_extension", "", func(x *r) any { return list(x.ByExtension) }),
		nested("by_language", "", func(x *r) any { return list(x.ByLanguage) }),
	}}
}

// UserDays are days of users, /users (C90-C110). Service accounts have no address (T39).
func UserDays() Of[api.UserRow] {
	type r = api.UserRow
	return Of[r]{[]cell[r]{
		wide("user_id", "", func(x *r) any { return text(x.UserID) }),
		brief("user_email", "absent for service accounts", func(x *r) any { return address(x.UserEmail) }),
		brief("date", "UTC day", func(x *r) any { return x.Date }),
		brief("billable_tokens", "standard credits; absent: hidden by the organization", func(x *r) any { return number(x.BillableTokens) }),
		brief("tool_calls", "", func(x *r) any { return x.ToolCalls }),
		brief("primary_model", "", func(x *r) any { return nonempty(x.PrimaryModel) }),
		wide("primary_model_tier", "standard, thinking", func(x *r) any { return nonempty(x.PrimaryModelTier) }),
		brief("sessions", "", func(x *r) any { return x.Sessions }),
		brief("messages", "", func(x *r) any { return x.Messages }),
		wide("user_messages", "", func(x *r) any { return x.UserMessages }),
		wide("assistant_messages", "", func(x *r) any { return x.AssistantMessages }),
		wide("files_created", "", func(x *r) any { return x.FilesCreated }),
		wide("files_edited", "", func(x *r) any { return x.FilesEdited }),
		wide("git_commits", "", func(x *r) any { return x.GitCommits }),
		wide("git_prs_created", "", func(x *r) any { return x.GitPRs }),
		wide("mcp_calls", "", func(x *r) any { return x.MCPCalls }),
		wide("skill_calls", "", func(x *r) any { return x.SkillCalls }),
		wide("slash_commands", "", func(x *r) any { return x.SlashCommands }),
		wide("hooks", "", func(x *r) any { return x.Hooks }),
		wide("autonomy_ratio", "tool calls for a user turn", func(x *r) any { return x.AutonomyRatio }),
		brief("delegation_level", "auto-high, auto-medium, auto-low, spec, manual", func(x *r) any { return nonempty(x.DelegationLevel) }),
		nested("languages", "", func(x *r) any { return texts(x.Languages) }),
	}}
}

// list is a breakdown, nil if the service left it out.
func list[T any](items []T) any {
	if items == nil {
		return nil
	}
	return decoded(items)
}

// hooks hides what looks like a secret in the commands of hooks (T34).
func hooks(items []api.HookCount) any {
	if items == nil {
		return nil
	}
	out := make([]any, len(items))
	for i, h := range items {
		out[i] = map[string]any{"event": text(h.Event), "matcher": text(h.Matcher), "command": org.RedactCommand(h.Command), "count": h.Count}
	}
	return out
}
