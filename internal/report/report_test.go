package report_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/report"
)

func n(f float64) *json.Number {
	x := json.Number(fmt.Sprint(f))
	return &x
}

// three days of November, of which tests report some.
func input() report.Input {
	return report.Input{
		Name: "acme", Now: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC), Key: org.Fold,
		Window: report.Window{From: "2026-11-01", To: "2026-11-03", Days: 3},
	}
}

func userDay(id, email, date string, credits float64) api.UserRow {
	r := api.UserRow{
		UserID: id, Date: date, BillableTokens: n(credits), Sessions: "1", UserMessages: "2", ToolCalls: "4", GitCommits: "0",
		PrimaryModel: "m", DelegationLevel: "auto-high",
	}
	if email != "" {
		r.UserEmail = &email
	}
	return r
}

func limits(list map[string]int64) map[org.Email]org.Limit {
	out := map[org.Email]org.Limit{}
	for e, c := range list {
		out[org.Email(e)] = org.Limit{Email: org.Email(e), Credits: c, Why: "users"}
	}
	return out
}

func TestStandings(t *testing.T) {
	t.Parallel()
	in := input()
	in.Limits = limits(map[string]int64{"at@x.example": 300, "near@x.example": 300, "below@x.example": 300, "zero@x.example": 0, "two@x.example": 5, "idle@x.example": 9})
	m := report.New(in)
	for _, row := range []api.UserRow{
		userDay("u1", "At@x.example", "2026-11-01", 100), userDay("u1", "At@x.example", "2026-11-02", 200),
		userDay("u2", "near@x.example", "2026-11-01", 240), userDay("u3", "below@x.example", "2026-11-01", 239.9),
		userDay("u4", "zero@x.example", "2026-11-01", 1), userDay("u5", "", "2026-11-01", 7),
		userDay("u6", "two@x.example", "2026-11-01", 1), userDay("u7", "TWO@x.example", "2026-11-01", 1),
		userDay("u1", "At@x.example", "2026-11-02", 200), // again, on another page
	} {
		if err := m.AddUsers([]api.UserRow{row}); err != nil {
			t.Fatal(err)
		}
	}
	p := m.Report().People
	want := map[string]int{report.Above: 1, report.Close: 1, report.Below: 1, report.NoLimit: 1, report.Ambiguous: 3}
	if diff := cmp.Diff(want, p.Standings); diff != "" {
		t.Error(diff)
	}
	if p.Idle == nil || *p.Idle != 1 || p.Active != 7 {
		t.Errorf("idle %v, active %d", p.Idle, p.Active)
	}
	first := p.List[0]
	if *first.Credits != 300 || *first.PerDay != 100 || *first.LimitDays != 3 || *first.Share != 1 || first.ActiveDays != 2 || first.LastDay != "2026-11-02" {
		t.Errorf("%+v", first)
	}
	if last := p.Histogram[len(p.Histogram)-1]; last.Count != 1 || last.To != nil {
		t.Errorf("%+v", last)
	}
}

// TestUnknownLimits: limits that nobody could work out are unknown and not none.
func TestUnknownLimits(t *testing.T) {
	t.Parallel()
	in := input()
	in.LimitsUnknown = true
	m := report.New(in)
	if err := m.AddUsers([]api.UserRow{userDay("u1", "a@x.example", "2026-11-01", 1)}); err != nil {
		t.Fatal(err)
	}
	r := m.Report()
	if p := r.People; p.Standings[report.Unknown] != 1 || p.Idle != nil || p.List[0].Limit != nil || r.Credits.Declared != nil {
		t.Errorf("%+v", p)
	}
}

// TestGaps: a day that is not reported is no zero, and a run-rate divides by what was.
func TestGaps(t *testing.T) {
	t.Parallel()
	m := report.New(input())
	if err := m.AddTokens([]api.TokenRow{
		{Date: "2026-11-03", BillableTokens: n(30), InputTokens: "1", OutputTokens: "1"},
		{Date: "2026-11-01", BillableTokens: n(10), InputTokens: "1", OutputTokens: "1"},
	}); err != nil {
		t.Fatal(err)
	}
	r := m.Report()
	c := r.Credits
	if *c.Total != 40 || *c.PerDay != 20 || c.DaysReported != 2 || len(c.Days) != 3 || c.Days[1].Reported || c.Days[1].Credits != nil {
		t.Errorf("%+v", c)
	}
	if len(r.Notes) == 0 || r.Notes[0].Text != "1 of 3 days were not reported; they are not zero" {
		t.Errorf("%+v", r.Notes)
	}
}

// TestHidden: credits that the organization hides are no zero (U15).
func TestHidden(t *testing.T) {
	t.Parallel()
	m := report.New(input())
	if err := m.AddTokens([]api.TokenRow{
		{Date: "2026-11-01", InputTokens: "5", OutputTokens: "1", ByModel: []api.ModelUsage{{ModelID: "m", InputTokens: "5", OutputTokens: "1"}}},
		{Date: "2026-11-02", BillableTokens: n(3), InputTokens: "5", OutputTokens: "1"},
	}); err != nil {
		t.Fatal(err)
	}
	r := m.Report()
	if c := r.Credits; !c.Hidden || c.Total != nil || c.PerDay != nil || c.Input != 10 || r.Models.List[0].Credits != nil || *r.Models.List[0].Share != 1 {
		t.Errorf("%+v %+v", r.Credits, r.Models)
	}
}

// TestDoesNotAddUp: parts may be less than the whole, and more is a contradiction (T41).
func TestDoesNotAddUp(t *testing.T) {
	t.Parallel()
	m := report.New(input())
	if err := errors.Join(
		m.AddTokens([]api.TokenRow{{Date: "2026-11-01", BillableTokens: n(10), InputTokens: "1", OutputTokens: "1", ByModel: []api.ModelUsage{{ModelID: "m", BillableTokens: n(12), InputTokens: "1", OutputTokens: "1"}}}}),
		m.AddUsers([]api.UserRow{userDay("u1", "", "2026-11-01", 7)}),
		m.AddTools([]api.ToolRow{{Date: "2026-11-01", ToolCalls: "10", ByTool: []api.ToolCount{{Tool: "read", Invocations: "6"}, {Tool: "{", Invocations: "1"}}}}),
	); err != nil {
		t.Fatal(err)
	}
	r := m.Report()
	if *r.Credits.Unassigned != -2 || *r.Credits.ByPeople != 3 || r.Tools.Other != 3 {
		t.Errorf("%+v %+v", r.Credits, r.Tools)
	}
	if r.Tools.Unrecognised != (report.Unrecognised{Names: 1, Calls: 1}) || len(r.Tools.List) != 1 {
		t.Errorf("%+v", r.Tools)
	}
	warned := false
	for _, note := range r.Notes {
		warned = warned || note.Warning && strings.Contains(note.Text, "models add up to 2 credits more")
	}
	if !warned {
		t.Errorf("%+v", r.Notes)
	}
}

// TestServers: names that differ by the case of ASCII letters are one server, and it says so.
func TestServers(t *testing.T) {
	t.Parallel()
	m := report.New(input())
	if err := m.AddTools([]api.ToolRow{{Date: "2026-11-01", ToolCalls: "10", MCPByServer: []api.ServerCount{
		{Server: "GitHub", Invocations: "2"}, {Server: "github", Invocations: "3"}, {Server: "K", Invocations: "1"}, {Server: "\u212a", Invocations: "1"}, {Server: "https://u:pw@h.example", Invocations: "1"},
	}}}); err != nil {
		t.Fatal(err)
	}
	want := []report.Server{
		{Name: "github", Calls: 5, Variants: []report.Count{{Name: "github", Count: 3}, {Name: "GitHub", Count: 2}}},
		{Name: "K", Calls: 1, Variants: []report.Count{{Name: "K", Count: 1}}},
		{Name: "https://redacted@h.example", Calls: 1, Variants: []report.Count{{Name: "https://redacted@h.example", Count: 1}}},
		{Name: "\u212a", Calls: 1, Variants: []report.Count{{Name: "\u212a", Count: 1}}},
	}
	if diff := cmp.Diff(want, m.Report().Tools.Servers); diff != "" {
		t.Error(diff)
	}
}

// TestSeries: percentiles and people of days are told as their range, never added (T40).
func TestSeries(t *testing.T) {
	t.Parallel()
	m := report.New(input())
	if err := errors.Join(
		m.AddTools([]api.ToolRow{{Date: "2026-11-01", ToolCalls: "6", AutonomyRatioP50: n(3), MCPUsersWithMCP: n(4)}, {Date: "2026-11-02", ToolCalls: "2", AutonomyRatioP50: n(1), MCPUsersWithMCP: n(4)}}),
		m.AddActivity([]api.ActivityRow{{Date: "2026-11-02", DailyActiveUsers: "5", UserMessages: n(3)}, {Date: "2026-11-01", DailyActiveUsers: "4", UserMessages: n(1)}}),
	); err != nil {
		t.Fatal(err)
	}
	r := m.Report()
	if diff := cmp.Diff(&report.Range{Last: 1, LastDay: "2026-11-02", Least: 1, Most: 3}, r.Autonomy.Median); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(&report.Range{Last: 5, LastDay: "2026-11-02", Least: 4, Most: 5}, r.Activity.Daily); diff != "" {
		t.Error(diff)
	}
	if *r.Autonomy.CallsPerTurn != 2 || r.Activity.Sessions != nil {
		t.Errorf("%v %v", *r.Autonomy.CallsPerTurn, r.Activity.Sessions)
	}
}

func TestModelStatus(t *testing.T) {
	t.Parallel()
	declared := &org.Models{Allowed: []string{"a"}, Blocked: []string{"b"}}
	revision := func(policy map[string]any) *org.Revision {
		return &org.Revision{Number: 4, Settings: map[string]any{"modelPolicy": policy}}
	}
	for _, test := range []struct {
		id       string
		declared *org.Models
		newest   *org.Revision
		want     [2]string
	}{
		{"a", declared, revision(map[string]any{"allowedModelIds": []any{"a"}}), [2]string{"allowed", "listed"}},
		{"b", declared, revision(map[string]any{"allowedModelIds": []any{}}), [2]string{"blocked", "not_listed"}},
		{"A", declared, revision(map[string]any{"blockedModelIds": []any{"A"}, "allowAllServiceModels": true}), [2]string{"not_allowed", "blocked"}},
		{"c", nil, revision(map[string]any{"allowAllServiceModels": true, "allowedModelIds": []any{"a"}}), [2]string{"", "all_allowed"}},
		{"c", nil, revision(nil), [2]string{"", ""}},
		{"c", nil, nil, [2]string{"", ""}},
	} {
		in := input()
		in.Models = test.declared
		m := report.New(in)
		m.SetNewest(test.newest)
		if err := m.AddTokens([]api.TokenRow{{Date: "2026-11-01", InputTokens: "1", OutputTokens: "1", ByModel: []api.ModelUsage{{ModelID: test.id, InputTokens: "1", OutputTokens: "1"}}}}); err != nil {
			t.Fatal(err)
		}
		got := m.Report().Models.List[0]
		if diff := cmp.Diff(test.want, [2]string{got.Declared, got.Settings}); diff != "" {
			t.Errorf("%s: %s", test.id, diff)
		}
	}
}

// TestRefuses: numbers that cannot be are errors, and days that come twice.
func TestRefuses(t *testing.T) {
	t.Parallel()
	m := report.New(input())
	day := api.TokenRow{Date: "2026-11-01", InputTokens: "1", OutputTokens: "1"}
	if err := m.AddTokens([]api.TokenRow{day, day}); err == nil || !strings.Contains(err.Error(), "comes twice") {
		t.Error(err)
	}
	for _, bad := range []json.Number{"-1", "1e999", "x", "1e17"} {
		if err := m.AddTokens([]api.TokenRow{{Date: "2026-11-02", InputTokens: bad, OutputTokens: "1"}}); err == nil {
			t.Errorf("%s is a number of tokens", bad)
		}
		if err := m.AddActivity([]api.ActivityRow{{Date: "2026-11-02", DailyActiveUsers: bad}}); err == nil {
			t.Errorf("%s people", bad)
		}
	}
}

// TestFailed: a section that failed is left out with what was read of it.
func TestFailed(t *testing.T) {
	t.Parallel()
	m := report.New(input())
	if err := m.AddTokens([]api.TokenRow{{Date: "2026-11-01", BillableTokens: n(1), InputTokens: "1", OutputTokens: "1"}}); err != nil {
		t.Fatal(err)
	}
	m.Failed(report.SectionCredits, errors.New("status 500\nagain"))
	r := m.Report()
	if r.Credits != nil || r.Models != nil || r.Complete {
		t.Errorf("%+v", r)
	}
	if diff := cmp.Diff([]org.Gap{{Fact: "credits", Error: "status 500 again"}}, r.Missing); diff != "" {
		t.Error(diff)
	}
}

// TestAnyUsage: whatever people use, sums agree, everybody stands somewhere, the order of
// rows changes nothing, and no number is none.
func TestAnyUsage(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var rows []api.UserRow
		days := []string{"2026-11-01", "2026-11-02", "2026-11-03"}
		people := rapid.IntRange(0, 12).Draw(t, "people")
		all := 0.0
		byDay := map[string]float64{}
		for i := range people {
			for _, day := range days[:rapid.IntRange(0, 3).Draw(t, "days")] {
				credits := float64(rapid.IntRange(0, 2_000_000_000).Draw(t, "credits")) / 10
				rows = append(rows, userDay(fmt.Sprint("u", i), fmt.Sprintf("p%d@x.example", i%9), day, credits))
				all += credits
				byDay[day] += credits
			}
		}
		in := input()
		in.Limits = limits(map[string]int64{"p0@x.example": 0, "p1@x.example": 1, "p2@x.example": 1 << 40, "p3@x.example": 100_000_000})
		make := func(rows []api.UserRow) *report.Report {
			m := report.New(in)
			if err := m.AddUsers(rows); err != nil {
				t.Fatal(err)
			}
			var tokens []api.TokenRow
			for _, day := range days {
				if sum, ok := byDay[day]; ok {
					tokens = append(tokens, api.TokenRow{Date: day, BillableTokens: n(sum), InputTokens: "0", OutputTokens: "0"})
				}
			}
			if err := m.AddTokens(tokens); err != nil {
				t.Fatal(err)
			}
			return m.Report()
		}
		r := make(rows)
		standing := 0
		for _, s := range report.Standings() {
			standing += r.People.Standings[s]
		}
		if standing != r.People.Active || standing != len(r.People.List) {
			t.Fatalf("%d stand somewhere of %d", standing, r.People.Active)
		}
		if math.Abs(*r.People.Credits-all) > 0.01 {
			t.Fatalf("%v credits, want %v", *r.People.Credits, all)
		}
		if c := r.Credits; c.ByPeople != nil && math.Abs(*c.ByPeople) > 0.01 {
			t.Fatalf("%v are nobody's", *c.ByPeople)
		}
		shuffled := rapid.Permutation(rows).Draw(t, "order")
		if diff := cmp.Diff(r, make(shuffled), cmpopts.IgnoreUnexported(report.Person{}, report.Model{}, report.ActivityDay{})); diff != "" {
			t.Fatal(diff)
		}
		text, err := json.Marshal(r) // fails for a number that is none
		if err != nil {
			t.Fatal(err)
		}
		back, err := report.Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(r, back, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(report.Person{}, report.Model{}, report.ActivityDay{})); diff != "" {
			t.Fatal(diff)
		}
	})
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"kind":"usage_report","format_version":"1.0","credits":{"days":[{"date":"x"}]}}`))
	f.Add([]byte(`{"kind":"usage_report","format_version":"2"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := report.Decode(data)
		if err == nil && (r.Kind != report.Kind || r.FormatVersion != report.FormatVersion) {
			t.Errorf("%q is %+v", data, r)
		}
	})
}
