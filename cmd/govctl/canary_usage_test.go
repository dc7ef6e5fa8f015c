package main

import (
	"net/http"

	"github.com/govctl/govctl/internal/api"
)

// canaryHook is a token in the command of a hook, as analytics counts them (T34).
const canaryHook = "canary-hook-51c8"

// hostileUsage is an answer of analytics in which every string is hostile.
func hostileUsage(r *http.Request, text, long string) any {
	day := r.URL.Query().Get("endDate")
	model := []any{map[string]any{"model_id": text, "model_tier": text, "billable_tokens": 1, "input_tokens": 1, "output_tokens": 1}}
	row := map[string]any{"date": day}
	add := func(more map[string]any) {
		for k, v := range more {
			row[k] = v
		}
	}
	if r.URL.Query().Has("group_by") {
		row["group_key"] = long
	}
	switch r.URL.Path {
	case api.PathTokens:
		add(map[string]any{"billable_tokens": 1, "input_tokens": 1, "output_tokens": 1, "by_model": model,
			"by_user": []any{map[string]any{"user_id": text, "user_email": long, "billable_tokens": 1, "by_model": model}}})
	case api.PathTools:
		add(map[string]any{"tool_calls": 1, "by_tool": []any{map[string]any{"tool": text, "invocations": 1}},
			"mcp_by_server": []any{map[string]any{"server": "https://u:" + canaryUserinfo + "@h.example/?token=" + canaryQuery, "invocations": 1}},
			"hooks_by_event": []any{map[string]any{"event": text, "matcher": text, "count": 1,
				"command": text + " API_TOKEN=" + canaryHook + " curl --password " + canaryHook + " -H 'Authorization: Bearer " + canaryHook + "' https://x:" + canaryUserinfo + "@h.example"}}})
	case api.PathActivity:
		add(map[string]any{"daily_active_users": 1, "daily_active_users_by_client": map[string]any{text: 1}})
	case api.PathProductivity:
		add(map[string]any{"files_created": 1, "files_edited": 1, "git_commits": 1, "git_prs_created": 1, "by_language": []any{map[string]any{"language": text, "count": 1}}})
	default:
		for _, n := range []string{"tool_calls", "files_created", "files_edited", "git_commits", "git_prs_created", "mcp_calls", "skill_calls", "slash_commands",
			"hooks", "sessions", "messages", "user_messages", "assistant_messages", "autonomy_ratio"} {
			row[n] = 1
		}
		add(map[string]any{"user_id": text, "user_email": long, "primary_model": text, "primary_model_tier": text, "delegation_level": text, "languages": []any{text}})
	}
	return map[string]any{"data": []any{row}, "meta": map[string]any{
		"org_id": text, "start_date": r.URL.Query().Get("startDate"), "end_date": day, "has_more": false, "next_cursor": text,
	}}
}

func hostileReport(text, long string) any {
	return map[string]any{
		"reportId": text, "createdAt": 1, "repoUrl": "https://u:" + canaryUserinfo + "@git.example/" + text, "branch": long, "commitHash": text,
		"apps":      map[string]any{text: map[string]any{"description": long}},
		"report":    map[string]any{text: map[string]any{"numerator": 1, "denominator": 1, "rationale": long}},
		"modelUsed": map[string]any{"id": text, "reasoningEffort": text}, "agentVersion": text,
	}
}

func hostileMessage(text, long string) any {
	return map[string]any{
		"id": text, "role": text, "createdAt": 1, "updatedAt": 1, "content": []any{map[string]any{"text": "=cmd|' /C calc'!A0", "id": text}, map[string]any{"text": long, "id": text}},
		"parentId": text, "userMessageSource": text, "visibility": text, "vendorAReasoningSummary": long, "chatCompletionReasoningContent": text,
	}
}

// wellUsage is how a service in order answers analytics: no row, and what was asked.
func wellUsage(r *http.Request) string {
	q := r.URL.Query()
	return `{"data":[],"meta":{"org_id":"org_acme","start_date":"` + q.Get("startDate") + `","end_date":"` + q.Get("endDate") + `","has_more":false}}`
}
