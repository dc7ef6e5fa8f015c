package main

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
	"github.com/govctl/govctl/internal/policy"
	"github.com/govctl/govctl/policies"
)

// TestPlanOverviewChangesNothing holds that the plan rules say the same of a plan with
// its overview as of the bare list of all its changes.
func TestPlanOverviewChangesNothing(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	var engines []*policy.Engine
	for _, params := range []map[string]any{nil, {
		"max_limit": 60, "max_raise": 20, "max_raise_factor": 3, "budget": 900, "allow_zero_limit": true,
		"max_changed_limits": 5, "max_changed_floor": 2, "max_unknown_limits": 5, "company_domains": []any{"A.example", "b.example"},
	}, {"max_raise": 70, "max_raise_factor": 1000, "company_domains": []any{"a.example", "b.example", "c.example"}}} {
		e, err := policy.Load(policy.Options{Library: policies.FS, Kinds: []string{policy.PlanKind}, Extended: true, Parameters: params, Now: now})
		if err != nil {
			t.Fatal(err)
		}
		engines = append(engines, e)
	}
	rapid.Check(t, func(t *rapid.T) {
		p, have := drawPlan(t)
		body, err := planBody(p, have)
		if err != nil {
			t.Fatal(err)
		}
		body["settings"] = map[string]any{"byomComputersEnabled": false, "modelPolicy": map[string]any{"allowedModelIds": []any{"a"}}}
		body["members"] = laterMembers(have)
		text, err := json.Marshal(map[string]any{"plan": p, "settings": body["settings"], "members": membersBody(have)})
		if err != nil {
			t.Fatal(err)
		}
		bare, err := org.DecodeJSON(text)
		if err != nil {
			t.Fatal(err)
		}
		e := engines[rapid.IntRange(0, len(engines)-1).Draw(t, "engine")]
		judge := func(body any) []org.Finding {
			r, err := e.Check(context.Background(), policy.Document{Kind: policy.PlanKind, Subject: "plan", Base: "/plan", Body: body})
			if err != nil {
				t.Fatal(err)
			}
			return r.Findings
		}
		if diff := cmp.Diff(judge(bare), judge(body)); diff != "" {
			t.Fatalf("without (-) and with (+) the overview: %s", diff)
		}
	})
}

// drawPlan draws a plan as a file may hold one: in any order, with anybody in it twice.
func drawPlan(t *rapid.T) (*plan.Plan, org.Live) {
	name := rapid.Custom(func(t *rapid.T) string {
		n := rapid.IntRange(0, 300).Draw(t, "name")
		return fmt.Sprintf("%s%d@%c.example", rapid.SampledFrom([]string{"u", "u", "u", "u", "U"}).Draw(t, "case"), n, 'a'+n%3)
	})
	credits := rapid.OneOf(rapid.Int64Range(0, 100), rapid.Int64Range(1, 20), rapid.Int64Range(0, 60_000_000))
	p := &plan.Plan{
		CreatedAt: time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC),
		Computers: []plan.ComputerChange{{Action: plan.ActionCreate, Name: "b", Provider: "byom"}},
		Sessions:  []plan.SessionChange{{ID: "s", Fields: []plan.Field{{Name: "model", After: "b"}}}},
	}
	seen := map[string]bool{}
	twice := rapid.IntRange(0, 3).Draw(t, "twice") == 0
	for range rapid.SampledFrom([]int{0, 1, 3, 20, 150}).Draw(t, "limits") {
		key := name.Draw(t, "key")
		if folded := string(org.Fold(key)); seen[folded] && !twice {
			continue
		} else {
			seen[folded] = true
		}
		c := plan.LimitChange{
			Action: rapid.SampledFrom([]string{plan.ActionSet, plan.ActionRaise, plan.ActionLower}).Draw(t, "action"),
			Email:  org.Email(key), SendAs: key, UserID: "id_" + key, After: credits.Draw(t, "after"),
			Before: plan.LimitBefore{
				Grade: rapid.SampledFrom([]org.Grade{org.NeverSet, org.Unknown, org.Confirmed, org.Expired}).Draw(t, "grade"),
				Value: credits.Draw(t, "before"),
			},
		}
		if c.Before.Grade == org.NeverSet || c.Before.Grade == org.Unknown {
			c.Before.Value = 0
		}
		p.Limits = append(p.Limits, c)
	}
	p.Notes = []plan.Note{{Code: "not_in_organization", Items: []plan.NoteItem{{Key: "x@a.example"}}}}
	have := org.Live{MembersRead: rapid.Bool().Draw(t, "read")}
	for n := range rapid.SampledFrom([]int{0, 150, 301}).Draw(t, "members") {
		address := fmt.Sprintf("u%d@%c.example", n, 'a'+n%3)
		have.Members = append(have.Members, org.Member{ID: "id_" + address, Email: org.Email(address), Spelling: address})
	}
	return p, have
}
