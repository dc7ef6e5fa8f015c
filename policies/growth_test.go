package policies_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"testing"

	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/storage/inmem"
	"github.com/open-policy-agent/opa/v1/topdown"
)

// steps counts what an evaluation does.
type steps int

func (*steps) Enabled() bool               { return true }
func (*steps) Config() topdown.TraceConfig { return topdown.TraceConfig{} }
func (s *steps) TraceEvent(topdown.Event)  { *s++ }

// TestUsageGrowsWithItsRows holds that a rule which groups rows of usage passes over them
// once, and not once for each member: four times the members are four times the work.
func TestUsageGrowsWithItsRows(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	c, store := compiled(t), inmem.NewFromObject(data(t))
	for _, r := range rules(t) {
		if kind := path.Base(path.Dir(r.dir)); kind != "usage" && r.id() != "PLN005" {
			continue
		}
		q, err := rego.New(rego.Query(r.module.Package.Path.String()+".findings with data.params.auto_high_users as []"), rego.Compiler(c), rego.Store(store)).PrepareForEval(ctx)
		if err != nil {
			t.Fatal(err)
		}
		work := func(members int) int {
			var n steps
			if _, err := q.Eval(ctx, rego.EvalInput(manyMembers(members)), rego.EvalQueryTracer(&n)); err != nil {
				t.Fatal(r.id(), err)
			}
			return int(n)
		}
		if few, many := work(50), work(200); many > 6*few {
			t.Errorf("%s takes %d steps for 50 members and %d for 200", r.id(), few, many)
		}
	}
}

// manyMembers is usage of so many members, with a plan that gives each a limit. Each has
// a tool, a server and a hook of its own.
func manyMembers(n int) map[string]any {
	var users, limits, changes, models, tools, servers, hooks []any
	for i := range n {
		email, number := fmt.Sprintf("user%d@acme.example", i), json.Number(fmt.Sprint(i))
		users = append(users, map[string]any{
			"user_id": email, "user_email": email, "date": "2026-11-01", "billable_tokens": number,
			"primary_model": "m", "sessions": json.Number("1"), "delegation_level": "auto-high",
		})
		limits = append(limits, map[string]any{"email": email, "limit": json.Number("20")})
		changes = append(changes, map[string]any{"kind": "limit", "key": email, "after": json.Number("20")})
		models = append(models, map[string]any{"model_id": "m", "model_tier": "standard", "billable_tokens": number})
		tools = append(tools, map[string]any{"tool": email})
		servers = append(servers, map[string]any{"server": email})
		hooks = append(hooks, map[string]any{"event": "Stop", "command": email})
	}
	return map[string]any{
		"window": map[string]any{"from": "2026-10-01", "to": "2026-11-01"}, "users": users, "limits": limits,
		"tokens":   []any{map[string]any{"date": "2026-11-01", "billable_tokens": json.Number("1"), "by_model": models, "by_user": users}},
		"tools":    []any{map[string]any{"date": "2026-11-01", "by_tool": tools, "mcp_by_server": servers, "hooks_by_event": hooks}},
		"activity": []any{map[string]any{"daily_active_users_by_client": map[string]any{"non-interactive-cli": json.Number("1")}}},
		"settings": map[string]any{
			"modelPolicy": map[string]any{"allowedModelIds": []any{"other"}}, "mcpPolicy": map[string]any{"allowlist": []any{"server"}},
		},
		"plan": map[string]any{"changes": changes}, "usage": map[string]any{"users": users},
	}
}
