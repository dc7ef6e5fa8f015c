package servicetest

import (
	"encoding/json"
	"testing"
)

// numbers reads fields of a row that are numbers, not negative.
func numbers(t *testing.T, r object, names ...string) map[string]float64 {
	t.Helper()
	all := map[string]float64{}
	for _, name := range names {
		if all[name] = parse[float64](t, r[name]); all[name] < 0 {
			t.Errorf("%s is negative in %s", name, raw(r))
		}
	}
	return all
}

// total adds a number of the items of a list and checks that their order is descending
// (U2) and that they have exactly the named fields.
func total(t *testing.T, r object, list, count, names string) float64 {
	t.Helper()
	sum, last := 0.0, -1.0
	for _, item := range parse[[]object](t, r[list]) {
		checkNames(t, item, names)
		n := numbers(t, item, count)[count]
		if last >= 0 && n > last {
			t.Errorf("U2: %s is not descending: %s", list, r[list])
		}
		sum, last = sum+n, n
	}
	return sum
}

func near(a, b float64) bool { return a-b < 1e-6 && b-a < 1e-6 }

// checkTokens holds C41 to C47 and I1 for one row.
func checkTokens(t *testing.T, r object) {
	t.Helper()
	n := numbers(t, r, "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
	models := "model_id model_tier billable_tokens input_tokens output_tokens"
	if _, shown := r["billable_tokens"]; !shown {
		return // U15
	}
	billable := numbers(t, r, "billable_tokens")["billable_tokens"]
	if !near(billable, total(t, r, "by_model", "billable_tokens", models)) ||
		!near(billable, total(t, r, "by_user", "billable_tokens", "user_id user_email billable_tokens by_model")) {
		t.Errorf("I1: %s", raw(r))
	}
	input := 0.0
	for _, m := range parse[[]object](t, r["by_model"]) {
		input += numbers(t, m, "input_tokens")["input_tokens"]
		if tier := text(t, m, "model_tier"); tier != "standard" && tier != "thinking" {
			t.Errorf("C46: tier %q", tier)
		}
	}
	if !near(input, n["input_tokens"]) {
		t.Errorf("C42 C46: %s", raw(r))
	}
	for _, u := range parse[[]object](t, r["by_user"]) {
		text(t, u, "user_email") // U19: never null
		if !near(total(t, u, "by_model", "billable_tokens", models), numbers(t, u, "billable_tokens")["billable_tokens"]) {
			t.Errorf("C47: %s", raw(u))
		}
	}
}

// checkTools holds C50 to C66, I2, I3, I9 and I10 for one row.
func checkTools(t *testing.T, r object) {
	t.Helper()
	n := numbers(t, r, "tool_calls", "mcp_users_with_mcp", "skills_invocations", "slash_commands_invocations", "hooks_invocations", "web_users",
		"autonomy_ratio_avg", "autonomy_ratio_p50", "autonomy_ratio_p90", "tool_calls_per_session_avg", "user_turns_per_session_avg")
	mcp := total(t, r, "mcp_by_server", "invocations", "server invocations")
	for name, ok := range map[string]bool{
		"C51 I2":  total(t, r, "by_tool", "invocations", "tool invocations") == n["tool_calls"],
		"C53 I3":  mcp <= n["tool_calls"] && n["mcp_users_with_mcp"] <= mcp,
		"C55":     total(t, r, "skills_by_name", "count", "name count") == n["skills_invocations"],
		"C57":     total(t, r, "slash_commands_by_name", "count", "name count") == n["slash_commands_invocations"],
		"C59":     total(t, r, "hooks_by_event", "count", "event matcher command count") == n["hooks_invocations"],
		"C62 I10": n["autonomy_ratio_p50"] <= n["autonomy_ratio_p90"],
	} {
		if !ok {
			t.Errorf("%s: %s", name, raw(r))
		}
	}
	ratios := parse[object](t, r["tool_autonomy_level_ratio"])
	checkNames(t, ratios, "auto_high auto_medium auto_low manual")
	sum := 0.0
	for _, v := range ratios {
		sum += parse[float64](t, v)
	}
	if sum != 0 && !near(sum, 1) {
		t.Errorf("C66 I9: %s", raw(ratios))
	}
}

// checkActivity holds C71 to C78, C81, I4, I5 and U14 for one row.
func checkActivity(t *testing.T, r object) {
	t.Helper()
	number := map[string]int64{}
	for _, name := range []string{"daily_active_users", "weekly_active_users", "monthly_active_users", "sessions", "messages", "user_messages"} {
		number[name] = parse[int64](t, r[name])
	}
	if number["daily_active_users"] > number["weekly_active_users"] || number["weekly_active_users"] > number["monthly_active_users"] {
		t.Errorf("C71 C72 C73: %s", raw(r))
	}
	if number["user_messages"] > number["messages"] {
		t.Errorf("C76 C77: %s", raw(r))
	}
	clients := parse[map[string]int64](t, r["daily_active_users_by_client"])
	most, all := int64(0), int64(0)
	for _, n := range clients {
		most, all = max(most, n), all+n
	}
	if most > number["daily_active_users"] || all < number["daily_active_users"] {
		t.Errorf("C81 I4: %s", raw(r))
	}
	for _, name := range []string{"terminal-ui", "web", "non-interactive-cli"} {
		if _, ok := clients[name]; !ok {
			t.Errorf("C74 C78: %s is missing in %s", name, raw(r))
		}
	}
}

// checkProductivity holds C83 to C88 and I8 for one row.
func checkProductivity(t *testing.T, r object) {
	t.Helper()
	n := numbers(t, r, "files_created", "files_edited", "git_commits", "git_prs_created")
	files := n["files_created"] + n["files_edited"]
	if total(t, r, "by_extension", "count", "extension count") != files || total(t, r, "by_language", "count", "language count") != files {
		t.Errorf("I8: %s", raw(r))
	}
}

// checkUser holds C90 to C110 and I6 for one row.
func checkUser(t *testing.T, r object) {
	t.Helper()
	n := numbers(t, r, "tool_calls", "files_created", "files_edited", "git_commits", "git_prs_created", "mcp_calls", "skill_calls",
		"slash_commands", "hooks", "sessions", "messages", "user_messages", "assistant_messages", "autonomy_ratio")
	if n["messages"] != n["user_messages"]+n["assistant_messages"] || n["mcp_calls"] > n["tool_calls"] {
		t.Errorf("C104 C99: %s", raw(r))
	}
	if parse[*string](t, r["user_email"]) == nil && string(r["user_email"]) != "null" {
		t.Errorf("C91: %s", raw(r))
	}
	text(t, r, "user_id")
	text(t, r, "primary_model")
	if tier := text(t, r, "primary_model_tier"); tier != "standard" && tier != "thinking" {
		t.Errorf("C96: %q", tier)
	}
	switch level := text(t, r, "delegation_level"); level {
	case "auto-high", "auto-medium", "auto-low", "spec", "manual":
	default:
		t.Errorf("C108: %q", level)
	}
	if languages := parse[[]json.RawMessage](t, r["languages"]); languages == nil {
		t.Errorf("C109: %s", raw(r))
	}
}
