package render

import (
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
)

// now is the clock of all tests.
var now = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

func at(file string, line int) org.Source { return org.Source{File: file, Line: line, Column: 3} }

// input is facts about an organization of n members whom nobody gave a limit yet.
func input(n int) plan.Input {
	in := plan.Input{
		Want: org.Wanted{LimitsDeclared: true, ReassertAfter: 30 * 24 * time.Hour, UnlistedMode: "report"},
		Have: org.Live{MembersRead: true, ByName: map[string]*org.Computer{}, ByID: map[string]*org.Computer{}, Blame: map[string]org.Blame{}},
		Last: org.Known{
			Position: org.Position{Lineage: "0d6a…", Serial: 1212}, Computers: map[string]org.KnownComputer{},
		},
		Target:  org.Target{BaseURL: "https://api.example.com", Organization: "org_acme", OrganizationVerified: true},
		Project: "examples/acme", Config: "sha256:c0", Policies: "sha256:b0", Now: now,
	}
	for i := range n {
		e := fmt.Sprintf("user%05d@example.com", i)
		in.Have.Members = append(in.Have.Members, org.Member{ID: fmt.Sprint("u_", i), Email: org.Email(e), Spelling: e})
	}
	return in
}

// want declares a limit for the nth member, with the last confirmed one; -1 for none,
// -2 for an unknown one.
func want(in *plan.Input, n int, credits, last int64, why, file string) {
	known := maps.Collect(in.Last.Limits.All())
	wantAmong(known, in, n, credits, last, why, file)
	in.Last.Limits = org.LimitsOf(known)
}

// wantAmong is want for many, which gathers in known what the ledger knows.
func wantAmong(known map[org.Email]org.KnownLimit, in *plan.Input, n int, credits, last int64, why, file string) {
	e := in.Have.Members[n].Email
	in.Want.Limits = append(in.Want.Limits, org.Limit{Email: e, Credits: credits, Why: why, Source: at(file, 9)})
	switch {
	case last >= 0:
		known[e] = org.KnownLimit{Grade: org.Confirmed, Credits: last, At: now.Add(-24 * time.Hour), UserID: in.Have.Members[n].ID}
	case last == -2:
		known[e] = org.KnownLimit{Grade: org.Unknown}
	}
}

// plans are the cases of the goldens.
func plans() map[string]*plan.Plan {
	return map[string]*plan.Plan{
		"empty": plan.Make(input(0)), "unchanged": unchanged(), "small": small(), "groups": groups(10000), "distinct": distinct(10000), "hostile": hostile(), "blocked": blockedPlan(),
	}
}

func unchanged() *plan.Plan {
	in := input(250)
	for i := range in.Have.Members {
		want(&in, i, 1000000, 1000000, "default", "limits.hcl")
	}
	declare(&in, org.Computer{Name: "build-01", RemoteUser: "ci"}, &org.Computer{ID: "cmp_1", Name: "build-01", RemoteUser: "ci", Status: "active"})
	return plan.Make(in)
}

// declare adds a computer and where it was found; nil for nowhere.
func declare(in *plan.Input, c org.Computer, live *org.Computer) {
	in.Want.Computers = append(in.Want.Computers, c)
	in.Have.ByName[c.Name] = nil
	for _, name := range c.Previously {
		in.Have.ByName[name] = nil
	}
	if live != nil {
		in.Have.ByName[live.Name] = live
	}
}

// small is like the quickstart: a few of everything.
func small() *plan.Plan {
	in := input(8)
	want(&in, 0, 2500000, 1000000, "users", "limits.hcl")
	want(&in, 1, 500000, 1000000, `group "ml"`, "limits.hcl")
	want(&in, 2, 1000000, -1, "default", "limits.hcl")
	want(&in, 3, 1000000, -1, "default", "limits.hcl")
	want(&in, 4, 9000000, -2, "boost", "boosts.yaml")
	want(&in, 5, 1000000, 1000000, "default", "limits.hcl")
	in.Want.Limits[4].Reason = "launch"
	in.Want.Limits = append(in.Want.Limits, org.Limit{Email: "gone@example.com", Credits: 1, Why: "users", Source: at("limits.hcl", 12)})
	in.Want.Unlisted = []org.Email{"user00006@example.com", "user00007@example.com"}
	declare(&in, org.Computer{Name: "build-04", Provider: "byom", RemoteUser: "ci", Source: at("computers.hcl", 1), OnCreate: &org.OnCreate{
		Repos: []string{"https://git.example.com/acme/api"}, AutoInstallDeps: new(true), Source: map[string]any{"kind": "scratch"},
	}}, nil)
	declare(&in, org.Computer{Name: "runner-01", Previously: []string{"old-runner"}, RemoteUser: "ci", RetryFailedInstall: true, Source: at("computers.hcl", 9)},
		&org.Computer{ID: "cmp_7", Name: "old-runner", Status: "error", Steps: []org.Step{{Name: "install-deps", Error: "exit status 1"}}})
	in.Have.Newest = &org.Revision{Number: 42, Settings: map[string]any{"sandbox": map[string]any{"enabled": false}, "sessionRetentionDays": json.Number("90")}}
	in.Want.Expectations = []org.Expectation{
		{Pointer: "/customModels", Value: []any{}, Source: at("settings.hcl", 5)},
		{Pointer: "/sandbox/enabled", Value: true, Source: at("settings.hcl", 3)},
		{Pointer: "/sessionRetentionDays", Absent: true, Source: at("settings.hcl", 4)},
	}
	in.Have.Blame["/sandbox/enabled"] = org.Blame{Revision: 37, Actor: org.Actor{ID: "u_1", Email: "linus@example.com"}, UpdatedAt: "2026-11-03T09:00:00Z"}
	in.Want.Models = &org.Models{Allowed: []string{"model-a"}, Sessions: "reset", ResetTo: "model-a"}
	in.Have.Sessions = []org.Session{{ID: "ses_1", Status: "idle", Model: "model-x"}, {ID: "ses_2", Status: "running", Model: "model-x"}}
	return plan.Make(in)
}

// groups changes n limits in a few ways.
func groups(n int) *plan.Plan {
	in, known := input(n), map[org.Email]org.KnownLimit{}
	for i := range n {
		switch {
		case i%10 == 0:
			wantAmong(known, &in, i, 500000, 1000000, `group "interns"`, "limits/interns.hcl")
		case i%10 < 3:
			wantAmong(known, &in, i, 5000000, 1000000, `group "ml"`, "limits/ml.hcl")
		case i%1000 == 7:
			wantAmong(known, &in, i, 1000000, -2, "default", "limits.hcl")
		default:
			wantAmong(known, &in, i, 1000000, -1, "default", "limits.hcl")
		}
	}
	in.Last.Limits = org.LimitsOf(known)
	return plan.Make(in)
}

// distinct changes n limits in n ways.
func distinct(n int) *plan.Plan {
	in, known := input(n), map[org.Email]org.KnownLimit{}
	for i := range n {
		last := int64(1000000)
		if i%3 == 0 {
			last = -1
		}
		wantAmong(known, &in, i, 1000000+int64(i-n/2)*100-1, last, "users_from", "limits.csv")
		in.Want.Limits[i].Source.Line = i + 2
	}
	in.Last.Limits = org.LimitsOf(known)
	return plan.Make(in)
}

// hostileTexts try to leave their line, cell, span, log or terminal.
var hostileTexts = []string{
	"::set-output name=x::y", "##[error]x", "###[group]x", "##vso[task.setvariable]x", "\u00a0::warning::x", "\x1b[31mred\x1b[0m", "a\nb\r\n::error::c", "\u202eevil\u2066",
	"a|b\\|c\\", "`code`", "``", "` `", "</details>", "<!-- govctl:v1 -->", "@octocat #1 https://evil.example www.evil.example", "[x](javascript:y)", "![i](u)",
	"*b* _i_ ~~s~~", "\u200bzero\u00adwidth", "bad\xffutf8", "\u2028line", "\U000e0041tag", "é日本語", " ", "", "&lt;", "\\u0000", "\"q\"", "%s%d%!", "\t tab",
}

func hostile() *plan.Plan {
	in := input(len(hostileTexts))
	in.Project, in.Target.BaseURL, in.Target.Organization = hostileTexts[0], hostileTexts[5], hostileTexts[7]
	in.Selection.Exclude = []string{"limit/" + hostileTexts[8]}
	in.Have.Newest = &org.Revision{Number: 42, Settings: map[string]any{}}
	for i, s := range hostileTexts {
		m := &in.Have.Members[i]
		m.Email, m.Spelling = org.Email(fmt.Sprintf("%s%d@x", s, i)), s
		want(&in, i, int64(i), -1, s, s)
		in.Want.Limits[i].Reason = s
		name := fmt.Sprintf("%02d%s", i, s)
		declare(&in, org.Computer{Name: name, Provider: s, RemoteUser: s, Source: at(s, 1)}, nil)
		in.Want.Expectations = append(in.Want.Expectations, org.Expectation{Pointer: "/" + name, Value: s, Source: at(s, 1)})
		in.Have.Newest.Settings[name] = map[string]any{s: s}
		in.Have.Blame["/"+name] = org.Blame{Revision: 1, Actor: org.Actor{Name: s}, UpdatedAt: s}
		in.Have.Sessions = append(in.Have.Sessions, org.Session{ID: name, Status: "idle", Model: s})
		in.Have.Gaps = append(in.Have.Gaps, org.Gap{Fact: "computer", Key: s, Error: s})
	}
	in.Want.Models = &org.Models{Allowed: []string{"model-a"}, Sessions: "reset", ResetTo: hostileTexts[1]}
	p := plan.Make(in)
	var findings []org.Finding
	for _, s := range hostileTexts {
		findings = append(findings, org.Finding{Rule: s, Severity: s, Status: s, Title: s, Message: s, Subject: s})
		p.Notes = append(p.Notes, plan.Note{Code: s, Message: s, Refuses: len(s)%2 == 0, Items: []plan.NoteItem{{Key: s, Detail: s, Source: new(at(s, 1))}}})
	}
	p.AddFindings(findings)
	return p
}

// blockedPlan cannot be applied for every reason there is.
func blockedPlan() *plan.Plan {
	in := input(5000)
	in.Target.OrganizationVerified = false
	in.Selection.Target = []string{"limit", "computer"}
	in.Want.UnlistedMode = "error"
	for i := range in.Have.Members {
		in.Want.Unlisted = append(in.Want.Unlisted, in.Have.Members[i].Email)
	}
	want(&in, 1, 5, 10, "users", "limits.hcl")
	for i := range 400 {
		name := fmt.Sprintf("build-%03d", i)
		declare(&in, org.Computer{Name: name, Provider: "byom", Source: at("computers.hcl", i)}, &org.Computer{ID: "cmp_" + name, Name: name, Provider: "sandbox_vendor"})
	}
	declare(&in, org.Computer{Name: "build-a", ID: "cmp_gone", Source: at("computers.hcl", 900)}, nil)
	in.Have.ByID["cmp_gone"] = nil
	in.Have.Gaps = []org.Gap{{Fact: "members", Error: "GET /api/v0/organization/users: status 500 (request req_1): page 3 of the list came without a cursor, the list may be longer"}, {Fact: "computer", Key: "build-x", Error: "status 403"}}
	p := plan.Make(in)
	p.AddFindings([]org.Finding{
		{Rule: "PLN001", Severity: "high", Status: "open", Subject: "plan", Message: "lowers more than a tenth of all limits"},
		{Rule: "PLN003", Severity: "low", Status: "waived", Subject: "plan", Message: "no boost has an owner"},
	})
	return p
}
