package plan

import (
	"encoding/json"
	"time"

	"github.com/govctl/govctl/internal/org"
)

// rich has at least one of everything a plan can hold.
func rich() Input {
	src := func(file string, line int) org.Source { return org.Source{File: file, Line: line, Column: 3} }
	lim := func(name string, credits int64, why, reason string) org.Limit {
		return org.Limit{Email: org.Email(name + "@example.com"), Credits: credits, Why: why, Reason: reason, Source: src("limits.hcl", 9)}
	}
	twin := org.Member{ID: "u_twin2", Email: "twin@example.com", Spelling: "TWIN@example.com"}
	var members []org.Member
	for _, n := range []string{"ada", "bob", "cyd", "dan", "eve", "fay", "twin", "zoe"} {
		members = append(members, member(n))
	}
	in := fleet([]org.Computer{
		{Name: "build-01", Provider: "byom", RemoteUser: "ci", ID: "cmp_1", RetryFailedInstall: true, Source: src("computers.hcl", 1)},
		{Name: "build-02", Provider: "sandbox_vendor", HostID: hostA, RemoteUser: "ci", Source: src("computers.hcl", 9), OnCreate: &org.OnCreate{
			Repos: []string{"https://git.example.com/acme/api"}, AutoInstallDeps: new(false), ServiceAccountID: "sa_1",
			Source: map[string]any{"kind": "scratch", "size": json.Number("1.50")},
		}},
		{Name: "build-03", Provider: "byom", Source: src("computers.hcl", 20)},
	}, &org.Computer{ID: "cmp_1", Name: "build-old", Provider: "byom", RemoteUser: "root", Status: "error"},
		&org.Computer{ID: "cmp_3", Name: "build-03", Provider: "sandbox_vendor", Status: "active"})
	in.Have.Members, in.Have.MembersRead = append(members, twin), true
	in.Have.Newest = &org.Revision{Number: 42, Settings: map[string]any{
		"sandbox": map[string]any{"enabled": false}, "customModels": []any{map[string]any{"id": "<m>", "apiKey": map[string]any{"redacted": true, "kind": "literal"}}},
		"sessionRetentionDays": nil,
	}}
	in.Have.Blame = map[string]org.Blame{"/sandbox/enabled": {
		Revision: 41, Actor: org.Actor{ID: "u_eve", Email: "eve@example.com", Name: "Eve"}, UpdatedAt: "2026-11-03T09:00:00Z", AtOrBefore: true,
	}}
	in.Have.Sessions = []org.Session{{ID: "ses_1", Status: "idle", Model: "model-x"}, {ID: "ses_2", Status: "running", Model: "model-x"}}
	in.Have.Gaps = []org.Gap{{Fact: "sessions", Key: "ses_9", Error: "status 500"}}
	in.Want = org.Wanted{
		LimitsDeclared: true, ReassertAfter: 30 * day, UnlistedMode: "error", Unlisted: []org.Email{"zoe@example.com"}, Ignored: 2,
		Limits: []org.Limit{
			lim("ada", 2500000, "users", ""), lim("bob", 500000, `group "ml"`, ""), lim("cyd", 1000000, "default", ""), lim("dan", 1000000, "boost", "launch"),
			lim("eve", 1000000, "users_from", ""), lim("fay", 1000000, "default", ""), lim("gus", 1, "users", ""), lim("twin", 1, "users", ""),
		},
		Computers: in.Want.Computers,
		Models:    &org.Models{Allowed: []string{"model-a"}, Sessions: "reset", ResetTo: "model-a", Source: src("models.hcl", 1)},
		Expectations: []org.Expectation{
			{Pointer: "/customModels", Absent: true, Source: src("settings.hcl", 4)},
			{Pointer: "/modelPolicy/allowedModelIds", Value: []any{"model-a"}, AsSet: true, Source: src("models.hcl", 2)},
			{Pointer: "/sandbox/enabled", Value: true, Source: src("settings.hcl", 2)},
			{Pointer: "/sessionRetentionDays", Value: json.Number("30"), Source: src("settings.hcl", 3)},
		},
	}
	in.Last = org.Known{
		Position: org.Position{Lineage: "lin_1", Serial: 12},
		Limits: org.LimitsOf(map[org.Email]org.KnownLimit{
			"ada@example.com": confirmed("ada", 1000000, day), "bob@example.com": confirmed("bob", 1000000, 2*day),
			"cyd@example.com": confirmed("cyd", 1000000, 40*day), "dan@example.com": {Grade: org.Unknown},
			"fay@example.com": confirmed("fay", 1000000, time.Hour), "old@example.com": confirmed("old", 7, day),
		}),
		Computers: map[string]org.KnownComputer{"gone": {ID: "cmp_9"}},
	}
	in.Target = org.Target{BaseURL: "https://api.example.com", Organization: "org_acme", OrganizationVerified: true}
	in.Project, in.Variables = "examples/acme", map[string]string{"base_credits": "1000000"}
	in.Config, in.Policies = "sha256:c0", "sha256:b0"
	in.Selection = Selection{Exclude: []string{"limit/nobody@example.com"}}
	return in
}

// richPlan is the plan of rich, with a finding as cmd adds one.
func richPlan() *Plan {
	p := Make(rich())
	p.AddFindings([]org.Finding{{
		Rule: "PLN001", Severity: "high", Status: "waived", Title: "t", Message: "m", Subject: "plan", Path: "/changes/0", Remediation: "r",
		Source: &org.Source{File: "limits.hcl", Line: 9, Column: 3}, Waiver: &org.Waiver{Rule: "PLN001", Target: "*", Reason: "migration", Owner: "sec", Expires: "2026-12-31"},
	}})
	return p
}
