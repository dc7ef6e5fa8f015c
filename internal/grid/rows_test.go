package grid_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/grid"
	"github.com/govctl/govctl/internal/org"
)

// named is a row by the names of its columns, without what is absent.
func named[T any](of grid.Of[T], v T) map[string]any {
	out := map[string]any{}
	for i, x := range of.Row(&v) {
		if x != nil {
			out[of.Columns()[i].Name] = x
		}
	}
	return out
}

func decode[T any](t *testing.T, text string) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func check(t *testing.T, got, want map[string]any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestUserRow(t *testing.T) {
	t.Parallel()
	check(t, named(grid.Users(), decode[api.User](t, `{"id":"u1","email":"","metadata":{"team":"ml","token":"s3cret"},"lastName":"https://a:b@c/"}`)), map[string]any{
		"id": "u1", "last_name": "https://redacted@c/", "metadata_names": []any{"team", "token"},
		"metadata": map[string]any{"team": "ml", "token": map[string]any{"redacted": true, "kind": "literal"}},
	})
}

func TestComputerRow(t *testing.T) {
	t.Parallel()
	check(t, named(grid.Computers(), decode[api.Computer](t, `{"id":"c","name":"n","providerType":"byom","createdAt":1700000000000,
		"relayClientUrl":"wss://relay.example/secret?x=1","relayAgentUrl":"not a url","provisioningSteps":[{"name":"install-deps","error":"clone https://u:p@h/ failed","startedAt":5}]}`)), map[string]any{
		"id": "c", "name": "n", "provider_type": "byom", "created_at": json.Number("1700000000000"), "created_at_if_ms": "2023-11-14T22:13:20.000Z",
		"relay_client_host": "relay.example", "relay_agent_host": "redacted",
		"steps": []any{map[string]any{"name": "install-deps", "error": "clone https://redacted@h/ failed", "started_at": json.Number("5")}},
	})
}

func TestSessionRow(t *testing.T) {
	t.Parallel()
	check(t, named(grid.Sessions(), decode[api.Session](t, `{"sessionId":"s","createdAt":1.7e12,"updatedAt":99999999999999999,"sessionSettings":{
		"model":"m","tags":[{"name":"a","metadata":{"k":"hidden"}}],"tokenUsage":{"inputTokens":7},"inclusiveTokenUsage":{"serviceCredits":1.5}}}`)), map[string]any{
		"session_id": "s", "created_at": "2023-11-14T22:13:20.000Z", "updated_at": "99999999999999999", "model": "m", "tags": []any{"a"},
		"input_tokens": json.Number("7"), "inclusive_service_credits": json.Number("1.5"),
	})
}

func TestReadinessRow(t *testing.T) {
	t.Parallel()
	report := func(criteria string) map[string]any {
		r := named(grid.Readiness(), decode[api.Report](t, `{"reportId":"r","createdAt":0,"repoUrl":"https://git.example/x","apps":{},"report":{`+criteria+`}}`))
		delete(r, "criteria")
		delete(r, "apps")
		return r
	}
	base := func(more map[string]any) map[string]any {
		for k, v := range map[string]any{"report_id": "r", "created_at": "1970-01-01T00:00:00.000Z", "repository": "https://git.example/x"} {
			more[k] = v
		}
		return more
	}
	n := func(s string) any { return json.Number(s) }
	check(t, report(`"a":{"numerator":1,"denominator":1,"rationale":""},"b":{"numerator":0,"denominator":3,"rationale":""}`),
		base(map[string]any{"passed": n("1"), "evaluated": n("4"), "score": n("0.25"), "mean_score": n("0.5"), "criteria_count": n("2")}))
	check(t, report(``), base(map[string]any{"passed": n("0"), "evaluated": n("0"), "criteria_count": n("0")}))
	check(t, report(`"a":{"numerator":2,"denominator":1,"rationale":""}`), base(map[string]any{"criteria_count": n("1")}))
	check(t, report(`"a":{"numerator":0,"denominator":0,"rationale":""}`), base(map[string]any{"criteria_count": n("1")}))
}

func TestUsageRows(t *testing.T) {
	t.Parallel()
	check(t, named(grid.Tokens(), decode[api.TokenRow](t, `{"date":"2026-11-01","input_tokens":1,"output_tokens":2}`)),
		map[string]any{"date": "2026-11-01", "input_tokens": json.Number("1"), "output_tokens": json.Number("2")})
	check(t, named(grid.Tools(), decode[api.ToolRow](t, `{"date":"2026-11-01","tool_calls":1,"tool_autonomy_level_ratio":{"auto_high":0.5},
		"hooks_by_event":[{"event":"Stop","matcher":"","command":"notify --token abc123","count":2}]}`)),
		map[string]any{"date": "2026-11-01", "tool_calls": json.Number("1"), "auto_high_ratio": json.Number("0.5"),
			"hooks_by_event": []any{map[string]any{"event": "Stop", "matcher": "", "command": "notify --token redacted", "count": json.Number("2")}}})
	check(t, named(grid.ToolsByName(), decode[api.ToolRow](t, `{"date":"2026-11-01","tool_calls":1,"group_key":""}`)),
		map[string]any{"date": "2026-11-01", "tool_calls": json.Number("1"), "group_key": "", "recognized": false})
}

func TestHistoryRow(t *testing.T) {
	t.Parallel()
	check(t, named(grid.History(), org.Revision{Number: 7, Settings: map[string]any{"a": true}}),
		map[string]any{"revision": json.Number("7"), "settings": map[string]any{"a": true}})
}

// TestColumns: names are unique in every table and all of one form, because scripts and
// conditions use them.
func TestColumns(t *testing.T) {
	t.Parallel()
	for table, columns := range map[string][]grid.Column{
		"users": grid.Users().Columns(), "computers": grid.Computers().Columns(), "sessions": grid.Sessions().Columns(), "messages": grid.Messages().Columns(),
		"readiness": grid.Readiness().Columns(), "history": grid.History().Columns(), "tokens": grid.Tokens().Columns(), "models": grid.TokensByModel().Columns(),
		"tools": grid.Tools().Columns(), "tool names": grid.ToolsByName().Columns(), "activity": grid.Activity().Columns(),
		"clients": grid.ActivityByClient().Columns(), "productivity": grid.Productivity().Columns(), "user days": grid.UserDays().Columns(),
	} {
		seen, brief := map[string]bool{}, 0
		for _, c := range columns {
			if seen[c.Name] || c.Name == "" || strings.Trim(c.Name, "abcdefghijklmnopqrstuvwxyz_0123456789") != "" {
				t.Errorf("%s: column %q", table, c.Name)
			}
			if seen[c.Name] = true; c.Brief {
				brief++
			}
		}
		if brief == 0 || brief > 10 {
			t.Errorf("%s: %d columns in text", table, brief)
		}
	}
}
