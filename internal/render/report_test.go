package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/apply"
	"github.com/govctl/govctl/internal/ledger"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
)

// report is an apply of 250 limits, two computers and a session that ended this way.
func applyReport(result, reason string, set, refused, unknown int) *apply.Report {
	r := apply.NewReport("sha256:d")
	r.Result, r.Reason, r.Requests, r.Retries, r.DurationMS = result, reason, 7, 1, 1200
	for i := range 250 {
		o := apply.LimitOutcome{Email: fmt.Sprintf("user%03d@example.com", i), Limit: 1000000}
		switch {
		case i < set:
			r.Limits.Set = append(r.Limits.Set, o)
		case i < set+refused:
			o.Error = "user not found in organization"
			r.Limits.Refused = append(r.Limits.Refused, o)
		case i < set+refused+unknown:
			o.Error = "PUT /api/v0/organization/usage/limits/users: connection reset"
			r.Limits.Unknown = append(r.Limits.Unknown, o)
		default:
			r.Limits.NotAttempted = append(r.Limits.NotAttempted, o)
		}
	}
	return r
}

func reports() map[string]*apply.Report {
	applied := applyReport(apply.ResultApplied, "", 250, 0, 0)
	applied.Retries = 0
	applied.Computers = []apply.ObjectOutcome{{Name: "build-04", Action: plan.ActionCreate, Result: apply.Done, ID: "cmp_9"}}
	applied.Sessions = []apply.ObjectOutcome{{Name: "ses_1", Action: plan.ActionUpdate, Result: apply.Done, ID: "ses_1"}}
	partial := applyReport(apply.ResultPartial, "PUT /api/v0/organization/usage/limits/users: connection reset", 97, 3, 100)
	partial.Computers = []apply.ObjectOutcome{
		{Name: "build-04", Action: plan.ActionCreate, Result: apply.Done, ID: "cmp_9"},
		{Name: "build-05", Action: plan.ActionUpdate, Result: apply.Unknown, ID: "cmp_10", Error: "computer build-05: the answer does not show the change of remote_user"},
		{Name: "build-06", Action: plan.ActionBlocked, Result: apply.NotAttempted, Error: "provider is byom and cannot be changed through the API to sandbox_vendor"},
		{Name: "build-07", Action: plan.ActionRetryInstall, Result: apply.Failed, ID: "cmp_11", Error: "POST /api/v0/computers/{computerId}/install-deps: status 409 (request req_7)"},
	}
	partial.Sessions = []apply.ObjectOutcome{{Name: "ses_1", Action: plan.ActionUpdate, Result: apply.NotAttempted, ID: "ses_1"}}
	partial.Warnings = []string{"the service reports a limit nobody asked for: eve@example.com = 1"}
	resumed := applyReport(apply.ResultApplied, "", 250, 0, 0)
	for i := range 100 {
		resumed.Limits.Set[i].Earlier = true
	}
	resumed.Computers = []apply.ObjectOutcome{
		{Name: "build-04", Action: plan.ActionCreate, Result: apply.Done, ID: "cmp_9", Earlier: true},
		{Name: "build-05", Action: plan.ActionUpdate, Result: apply.Done, ID: "cmp_10"},
	}
	hostile := applyReport(apply.ResultPartial, hostileTexts[0], 0, 0, 0)
	for _, s := range hostileTexts {
		hostile.Limits.Refused = append(hostile.Limits.Refused, apply.LimitOutcome{Email: s, Error: s})
		hostile.Computers = append(hostile.Computers, apply.ObjectOutcome{Name: s, ID: s, Action: s, Result: apply.Failed, Error: s})
		hostile.Warnings = append(hostile.Warnings, s)
	}
	return map[string]*apply.Report{
		"nothing": apply.NewReport("sha256:d"), "applied": applied, "partial": partial, "hostile": hostile, "resumed": resumed,
		"failed":      applyReport(apply.ResultFailed, "PUT /api/v0/organization/usage/limits/users: status 403 (request req_1)", 0, 100, 0),
		"refused":     apply.Refused(groups(20), "the saved plan is stale; these have moved since: ledger (0d6a #12 -> 0d6a #14)"),
		"interrupted": applyReport(apply.ResultInterrupted, "before the next request: context canceled", 100, 0, 0),
	}
}

func TestReportGoldens(t *testing.T) {
	t.Parallel()
	for name, r := range reports() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var text, data bytes.Buffer
			if err := Report(&text, Text, r, Options{}); err != nil {
				t.Fatal(err)
			}
			checkHarmless(t, text.String())
			golden(t, "report_"+name+".txt", text.String())
			var markdown bytes.Buffer
			if err := Report(&markdown, Markdown, r, Options{}); err != nil {
				t.Fatal(err)
			}
			golden(t, "report_"+name+".md", markdown.String())
			if err := Report(&data, JSON, r, Options{}); err != nil {
				t.Fatal(err)
			}
			checkHarmless(t, data.String())
			var back apply.Report
			if err := json.Unmarshal(data.Bytes(), &back); err != nil || back.Result != r.Result || len(back.Limits.Refused) != len(r.Limits.Refused) {
				t.Errorf("JSON gives back %s, %v", back.Result, err)
			}
			if n := strings.Count(text.String(), "\n"); n > 80 {
				t.Errorf("%d lines", n)
			}
		})
	}
}

func TestUnknownFormats(t *testing.T) {
	t.Parallel()
	const want = `format "yml" is not one of text, json, markdown`
	if err := Report(nil, "yml", apply.NewReport(""), Options{}); err == nil || err.Error() != want {
		t.Errorf("Report: %v", err)
	}
	if err := Plan(nil, "yml", &plan.Plan{}, Options{}); err == nil || err.Error() != want+", github, gitlab-terraform" {
		t.Errorf("Plan: %v", err)
	}
	if err := CheckFormat(JSON, PlanFormats()); err != nil {
		t.Errorf("CheckFormat: %v", err)
	}
}

func TestHistoryGoldens(t *testing.T) {
	t.Parallel()
	entries := []org.RevisionChange{
		{Revision: 101, UpdatedAt: "2026-11-03T09:00:00Z", Actor: org.Actor{ID: "u_1", Email: "linus@example.com", Name: "Linus"}, Changed: []string{"modelPolicy", "sandbox"}},
		{Revision: 100, UpdatedAt: "2026-11-03T08:59:59.5Z", Actor: org.Actor{Name: "日本 管理者"}, Changed: []string{}},
		{Revision: 98, UpdatedAt: "2026-10-03", Unknown: true},
		{Revision: 7, UpdatedAt: hostileTexts[6], Actor: org.Actor{ID: hostileTexts[7]}, Changed: []string{hostileTexts[1], hostileTexts[5]}},
	}
	for name, c := range map[string]struct {
		entries []org.RevisionChange
		more    bool
		want    string // JSON
	}{
		"history":       {entries, true, `"more": true`},
		"history_empty": {nil, false, `"revisions": [],`},
	} {
		var text, data bytes.Buffer
		if err := History(&text, Text, c.entries, c.more, Options{}); err != nil {
			t.Fatal(err)
		}
		checkHarmless(t, text.String())
		golden(t, name+".txt", text.String())
		if err := History(&data, JSON, c.entries, c.more, Options{}); err != nil || !strings.Contains(data.String(), c.want) {
			t.Errorf("%s: %v\n%s", name, err, data.String())
		}
	}
	revision := org.Revision{Number: 42, UpdatedAt: "2026-11-03T09:00:00Z", Settings: map[string]any{"b": []any{}, "a": map[string]any{"x": "<&>", "n": json.Number("1.50")}}}
	var text, data bytes.Buffer
	if err := Revision(&text, Text, revision, Options{}); err != nil {
		t.Fatal(err)
	}
	golden(t, "revision.txt", text.String())
	if err := Revision(&data, JSON, revision, Options{}); err != nil || !strings.Contains(data.String(), `"revision": 42`) {
		t.Errorf("%v\n%s", err, data.String())
	}
}

func TestLedgerGoldens(t *testing.T) {
	t.Parallel()
	target := org.Target{BaseURL: "https://api.example.com", Organization: "org_acme"}
	known := org.Known{
		Position: org.Position{Lineage: "lin", Serial: 12},
		Limits: org.LimitsOf(map[org.Email]org.KnownLimit{
			"ada@example.com": {Grade: org.Confirmed, Credits: 2500000, At: now, UserID: "u_1"}, "longer.address@example.com": {Grade: org.Unknown},
			"bob@example.com": {Grade: org.Confirmed, Credits: 5, At: now.Add(-time.Hour).In(time.FixedZone("", 3600))}, org.Email(hostileTexts[5]): {Grade: org.Unknown},
		}),
		Computers: map[string]org.KnownComputer{"build-01": {ID: "cmp_1"}, "build-02": {Unknown: true}},
	}
	records := []ledger.Record{
		{ID: "1", At: now, Kind: ledger.Intention, Limits: []ledger.Limit{{Email: "bob@example.com", Credits: 1}, {Email: "ada@example.com", Credits: 2500000}}},
		{ID: "2", At: now.Add(time.Second), Kind: ledger.Outcome, Of: "1", Set: []org.Email{"ada@example.com"}},
		{ID: "3", At: now.Add(2 * time.Second), Kind: ledger.Outcome, Of: "1", Refused: []ledger.Refused{{Email: "ada@example.com", Error: "limit too large"}}},
		{ID: "4", At: now.Add(3 * time.Second), Kind: ledger.Outcome, Of: "1", Unknown: []org.Email{"ada@example.com"}},
		{ID: "5", At: now.Add(4 * time.Second), Kind: ledger.Outcome, Of: "1", NotSent: []org.Email{"ada@example.com"}},
		{ID: "6", At: now.Add(5 * time.Second), Kind: ledger.Intention, Computer: &ledger.Object{Action: plan.ActionRetryInstall, Name: "build-01", ID: "cmp_1"}},
		{ID: "7", At: now.Add(6 * time.Second), Kind: ledger.Outcome, Of: "6", Computer: &ledger.Object{Action: plan.ActionRetryInstall, Name: "build-01", ID: "cmp_1", Result: ledger.Failed, Error: "status 409"}},
		{ID: "8", At: now.Add(7 * time.Second), Kind: ledger.Outcome, Of: "6", Session: &ledger.Object{Action: plan.ActionUpdate, ID: "ses_1", Result: ledger.Done}},
		{ID: "9", At: now.Add(8 * time.Second), Kind: ledger.Intention, Limits: []ledger.Limit{{Email: "bob@example.com"}}},
		{ID: "10", At: now.Add(9 * time.Second), Kind: ledger.Kind(hostileTexts[1])},
	}
	for name, draw := range map[string]func(w *bytes.Buffer, format string) error{
		"ledger_list": func(w *bytes.Buffer, format string) error { return Known(w, format, target, known, Options{}) },
		"ledger_list_empty": func(w *bytes.Buffer, format string) error {
			return Known(w, format, target, org.Known{}, Options{})
		},
		"ledger_show": func(w *bytes.Buffer, format string) error {
			return Records(w, format, "Ada@example.com", records, Options{})
		},
		"ledger_show_empty": func(w *bytes.Buffer, format string) error { return Records(w, format, "x", nil, Options{}) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var text, data bytes.Buffer
			if err := draw(&text, Text); err != nil {
				t.Fatal(err)
			}
			checkHarmless(t, text.String())
			golden(t, name+".txt", text.String())
			if err := draw(&data, JSON); err != nil || strings.Contains(data.String(), "null") {
				t.Errorf("%v\n%s", err, data.String())
			}
			checkHarmless(t, data.String())
			golden(t, name+".json", data.String())
		})
	}
}

// TestWriteJSONKeepsValues holds that escaping for logs changes no value, and that a
// saved plan is still the plan that was made.
func TestWriteJSONKeepsValues(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOf(rapid.OneOf(rapid.SampledFrom(hostileTexts), rapid.StringMatching(`[#\[\\"u0]{0,9}`), rapid.String())).Draw(t, "texts")
		for i := range want {
			want[i] = strings.ToValidUTF8(want[i], "\uFFFD")
		}
		var b bytes.Buffer
		if err := WriteJSON(&b, want); err != nil {
			t.Fatal(err)
		}
		checkHarmless(t, b.String())
		var got []string
		if err := json.Unmarshal(b.Bytes(), &got); err != nil || !cmp.Equal(want, got) {
			t.Fatalf("%v: %q gives back %q", err, want, got)
		}
	})
	p := hostile()
	back, err := plan.Decode([]byte(write(t, JSON, p, Options{})))
	if err != nil {
		t.Fatal(err)
	}
	if text := write(t, Text, back, Options{}); text != write(t, Text, p, Options{}) {
		t.Errorf("the saved plan reads otherwise:\n%s", text)
	}
}
