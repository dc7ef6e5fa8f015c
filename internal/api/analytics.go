package api

import "encoding/json"

// Meta describes an analytics answer (C12, C13).
type Meta struct {
	OrgID      string  `json:"org_id"`
	StartDate  string  `json:"start_date"`
	EndDate    string  `json:"end_date"`
	HasMore    *bool   `json:"has_more,omitempty"`    // only /users
	NextCursor *string `json:"next_cursor,omitempty"` // only /users
}

// TokenRow is one day of /tokens, or one model of one day (C40-C48). BillableTokens
// is nil when the organization hides credits (U15).
type TokenRow struct {
	Date             string       `json:"date"`
	GroupKey         *string      `json:"group_key,omitempty"`
	BillableTokens   *json.Number `json:"billable_tokens,omitempty"`
	InputTokens      json.Number  `json:"input_tokens"`
	OutputTokens     json.Number  `json:"output_tokens"`
	CacheReadTokens  *json.Number `json:"cache_read_tokens,omitempty"`
	CacheWriteTokens *json.Number `json:"cache_write_tokens,omitempty"`
	ByModel          []ModelUsage `json:"by_model,omitempty"`
	ByUser           []UserUsage  `json:"by_user,omitempty"`
}

// ModelUsage is the share of one model (C46).
type ModelUsage struct {
	ModelID        string       `json:"model_id"`
	ModelTier      string       `json:"model_tier"`
	BillableTokens *json.Number `json:"billable_tokens,omitempty"`
	InputTokens    json.Number  `json:"input_tokens"`
	OutputTokens   json.Number  `json:"output_tokens"`
}

// UserUsage is the share of one user (C47).
type UserUsage struct {
	UserID         string       `json:"user_id"`
	UserEmail      *string      `json:"user_email,omitempty"`
	BillableTokens *json.Number `json:"billable_tokens,omitempty"`
	ByModel        []ModelUsage `json:"by_model,omitempty"`
}

// ToolRow is one day of /tools, or one tool of one day (C49-C67).
type ToolRow struct {
	Date                     string                 `json:"date"`
	GroupKey                 *string                `json:"group_key,omitempty"`
	ToolCalls                json.Number            `json:"tool_calls"`
	ByTool                   []ToolCount            `json:"by_tool,omitempty"`
	MCPUsersWithMCP          *json.Number           `json:"mcp_users_with_mcp,omitempty"`
	MCPByServer              []ServerCount          `json:"mcp_by_server,omitempty"`
	SkillsInvocations        *json.Number           `json:"skills_invocations,omitempty"`
	SkillsByName             []NameCount            `json:"skills_by_name,omitempty"`
	SlashCommandsInvocations *json.Number           `json:"slash_commands_invocations,omitempty"`
	SlashCommandsByName      []NameCount            `json:"slash_commands_by_name,omitempty"`
	HooksInvocations         *json.Number           `json:"hooks_invocations,omitempty"`
	HooksByEvent             []HookCount            `json:"hooks_by_event,omitempty"`
	WebUsers                 *json.Number           `json:"web_users,omitempty"`
	AutonomyRatioAvg         *json.Number           `json:"autonomy_ratio_avg,omitempty"`
	AutonomyRatioP50         *json.Number           `json:"autonomy_ratio_p50,omitempty"`
	AutonomyRatioP90         *json.Number           `json:"autonomy_ratio_p90,omitempty"`
	ToolCallsPerSessionAvg   *json.Number           `json:"tool_calls_per_session_avg,omitempty"`
	UserTurnsPerSessionAvg   *json.Number           `json:"user_turns_per_session_avg,omitempty"`
	ToolAutonomyLevelRatio   map[string]json.Number `json:"tool_autonomy_level_ratio,omitempty"`
}

// ToolCount counts one tool (C51).
type ToolCount struct {
	Tool        string      `json:"tool"`
	Invocations json.Number `json:"invocations"`
}

// ServerCount counts one MCP server; case variants are separate (C53, C68).
type ServerCount struct {
	Server      string      `json:"server"`
	Invocations json.Number `json:"invocations"`
}

// NameCount counts one skill or slash command (C55, C57).
type NameCount struct {
	Name  string      `json:"name"`
	Count json.Number `json:"count"`
}

// HookCount counts one hook (C59).
type HookCount struct {
	Event   string      `json:"event"`
	Matcher string      `json:"matcher"`
	Command string      `json:"command"`
	Count   json.Number `json:"count"`
}

// ActivityRow is one day of /activity, or one client type of one day (C70-C81).
type ActivityRow struct {
	Date                     string                 `json:"date"`
	GroupKey                 *string                `json:"group_key,omitempty"`
	DailyActiveUsers         json.Number            `json:"daily_active_users"`
	WeeklyActiveUsers        *json.Number           `json:"weekly_active_users,omitempty"`
	MonthlyActiveUsers       *json.Number           `json:"monthly_active_users,omitempty"`
	DailyActiveUsersByClient map[string]json.Number `json:"daily_active_users_by_client,omitempty"`
	Sessions                 *json.Number           `json:"sessions,omitempty"`
	Messages                 *json.Number           `json:"messages,omitempty"`
	UserMessages             *json.Number           `json:"user_messages,omitempty"`
}

// ProductivityRow is one day of /productivity (C82-C89).
type ProductivityRow struct {
	Date         string           `json:"date"`
	FilesCreated json.Number      `json:"files_created"`
	FilesEdited  json.Number      `json:"files_edited"`
	ByExtension  []ExtensionCount `json:"by_extension,omitempty"`
	ByLanguage   []LanguageCount  `json:"by_language,omitempty"`
	GitCommits   json.Number      `json:"git_commits"`
	GitPRs       json.Number      `json:"git_prs_created"`
}

// ExtensionCount counts one file extension (C85).
type ExtensionCount struct {
	Extension string      `json:"extension"`
	Count     json.Number `json:"count"`
}

// LanguageCount counts one language (C86).
type LanguageCount struct {
	Language string      `json:"language"`
	Count    json.Number `json:"count"`
}

// UserRow is one user on one day (C90-C110). UserEmail is nil for service accounts.
type UserRow struct {
	UserID            string       `json:"user_id"`
	UserEmail         *string      `json:"user_email,omitempty"`
	Date              string       `json:"date"`
	ToolCalls         json.Number  `json:"tool_calls"`
	BillableTokens    *json.Number `json:"billable_tokens,omitempty"`
	PrimaryModel      string       `json:"primary_model"`
	PrimaryModelTier  string       `json:"primary_model_tier"`
	FilesCreated      json.Number  `json:"files_created"`
	FilesEdited       json.Number  `json:"files_edited"`
	GitCommits        json.Number  `json:"git_commits"`
	GitPRs            json.Number  `json:"git_prs_created"`
	MCPCalls          json.Number  `json:"mcp_calls"`
	SkillCalls        json.Number  `json:"skill_calls"`
	SlashCommands     json.Number  `json:"slash_commands"`
	Hooks             json.Number  `json:"hooks"`
	Sessions          json.Number  `json:"sessions"`
	Messages          json.Number  `json:"messages"`
	UserMessages      json.Number  `json:"user_messages"`
	AssistantMessages json.Number  `json:"assistant_messages"`
	AutonomyRatio     json.Number  `json:"autonomy_ratio"`
	DelegationLevel   string       `json:"delegation_level"`
	Languages         []string     `json:"languages"`
}

// TokensPage is the answer of /tokens.
type TokensPage struct {
	Data []TokenRow `json:"data"`
	Meta Meta       `json:"meta"`
}

// ToolsPage is the answer of /tools.
type ToolsPage struct {
	Data []ToolRow `json:"data"`
	Meta Meta      `json:"meta"`
}

// ActivityPage is the answer of /activity.
type ActivityPage struct {
	Data []ActivityRow `json:"data"`
	Meta Meta          `json:"meta"`
}

// ProductivityPage is the answer of /productivity.
type ProductivityPage struct {
	Data []ProductivityRow `json:"data"`
	Meta Meta              `json:"meta"`
}

// UserRowsPage is one page of analytics /users.
type UserRowsPage struct {
	Data []UserRow `json:"data"`
	Meta Meta      `json:"meta"`
}
