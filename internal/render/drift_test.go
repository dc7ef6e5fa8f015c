package render

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/drift"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
)

func writeDrift(t rapid.TB, format string, r *drift.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := Drift(&b, format, r, Options{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// driftReports are the cases of the goldens.
func driftReports() map[string]*drift.Report {
	grace := org.Actor{ID: "u_2", Email: "grace@example.com", Name: "Grace"}
	src := at("settings.hcl", 4)
	base := func() *drift.Report {
		return &drift.Report{
			FormatVersion: drift.FormatVersion, CreatedAt: now, Project: "examples/acme", Verdict: drift.InSync,
			Target:   org.Target{BaseURL: "https://api.example.com", Organization: "org_acme", OrganizationVerified: true},
			Coverage: drift.Coverage{Complete: true}, Settings: drift.Settings{FromRevision: 40, ToRevision: 40, AsOf: "2026-11-03T09:00:00Z"},
			Limits: drift.Limits{Verdict: drift.Unverifiable},
		}
	}
	list := func(words ...any) drift.Value { return drift.Some(words) }
	full := base()
	full.Verdict, full.Summary, full.Settings.ToRevision = drift.Drifted, drift.Summary{Checked: 5, Drifted: 5, Accepted: 1, Transient: 1}, 45
	full.Coverage = drift.Coverage{Missing: []org.Gap{{Fact: "computer", Key: "build-09", Error: "GET /x: status 500"}}}
	full.Settings.Gaps, full.Settings.Untraced = []drift.Range{{From: 43, To: 44}, {From: 41, To: 41}}, 3
	full.Settings.Changes = []drift.Change{
		{Difference: drift.Difference{Path: "/commandDenylist", Change: drift.Changed, Before: list("a", "b"), After: list("b", "c"), Items: &drift.Items{Added: []drift.Value{drift.Some("c")}, Removed: []drift.Value{drift.Some("a")}, Reordered: true}},
			Revision: 45, Actor: grace, UpdatedAt: "2026-11-05T09:00:00Z", Fingerprint: "00000000000000aa"},
		{Difference: drift.Difference{Path: "/customModels", Change: drift.Changed, Before: list(map[string]any{"id": "m1", "baseUrl": "x"}), After: list(map[string]any{"id": "m1", "baseUrl": "y"}), Items: &drift.Items{Changed: []drift.ItemChange{{Key: "m1", Changes: []drift.Difference{{Path: "/baseUrl", Change: drift.Changed, Before: drift.Some("x"), After: drift.Some("y")}}}}}},
			Revision: 42, Actor: org.Actor{}, UpdatedAt: "2026-11-04T09:00:00Z", AtOrBefore: true, Fingerprint: "00000000000000ab"},
		{Difference: drift.Difference{Path: "/old", Change: drift.Removed, Before: drift.Some(json.Number("7"))}, RenamedTo: "/new", Fingerprint: "00000000000000ac"},
		{Difference: drift.Difference{Path: "/sandbox/enabled", Change: drift.Changed, Before: drift.Some(true), After: drift.Some(false)}, Expected: drift.Some(true), Source: &src,
			Revision: 42, Actor: grace, UpdatedAt: "2026-11-04T09:00:00Z", Fingerprint: "00000000000000ad"},
		{Difference: drift.Difference{Path: "/secret", Change: drift.Changed}, Secret: true, Revision: 45, Actor: grace, UpdatedAt: "2026-11-05T09:00:00Z", Fingerprint: "00000000000000ae"},
		{Difference: drift.Difference{Path: "/wikiCloudSync", Change: drift.Added, After: drift.Some(nil)}, ExpectedAbsent: true, Fingerprint: "00000000000000af", Accepted: &drift.Accepted{Reason: "until the move", Until: "2026-12-31"}},
		{Difference: drift.Difference{Path: "/mcpPolicy/enabled", Change: drift.Changed, Before: drift.Some(true), After: drift.Some(false)}, Transient: true, Revision: 45, Actor: grace, UpdatedAt: "2026-11-05T09:00:00Z",
			Began: &drift.Moment{Revision: 42, Actor: org.Actor{Name: "Sync"}, UpdatedAt: "2026-11-04T08:15:00Z"}, DurationMS: (24*time.Hour + 45*time.Minute).Milliseconds(), Fingerprint: "00000000000000b0"},
	}
	full.Computers = []drift.Computer{
		{Name: "build-01", Verdict: drift.InSync}, {Name: "build-02", Verdict: drift.InSync, Health: "error: install-deps: no space left"},
		{Name: "build-03", Verdict: drift.Drifted, Fields: []plan.Field{{Name: "remote_user", After: "ci"}, {Name: "host_id", Before: "a", After: "b"}}, Source: &src, Fingerprint: "00000000000000b1"},
		{Name: "build-04", Verdict: drift.Missing, Fingerprint: "00000000000000b2", Accepted: &drift.Accepted{Reason: "ordered"}},
		{Name: "build-05", Verdict: drift.Conflict, Detail: "id cmp_5 not found, or not visible to this key", Fingerprint: "00000000000000b3"},
		{Name: "build-09", Verdict: drift.Unreadable, Detail: "GET /x: status 500"},
	}
	oldest := now.Add(-40 * 24 * time.Hour)
	full.Limits = drift.Limits{Verdict: drift.Unverifiable, Confirmed: 1200, Unknown: 2, NeverSet: 3, Expired: 14, OldestConfirmation: &oldest}
	for _, e := range []string{"a", "b", "c", "d"} {
		full.Unmanaged.Members = append(full.Unmanaged.Members, drift.Member{Email: e + "@example.com", Why: drift.WhyNoLimit})
	}
	full.Unmanaged.Members = append(full.Unmanaged.Members, drift.Member{Email: "gone@example.com", Why: drift.WhyLeft}, drift.Member{Email: "old@example.com", Why: drift.WhyMoved}, drift.Member{Email: "x@example.com", Why: drift.WhyForgotten})
	full.Unmanaged.Computers, full.Unmanaged.Models = []drift.SeenThing{{Name: "cmp_9", Sessions: 1}}, []drift.SeenThing{{Name: "model-x", Sessions: 1200}}
	full.Expired = []drift.Acceptance{{Kind: "setting", Key: "/old", Until: "2026-11-01", Reason: "short"}}
	full.Unused = []drift.Acceptance{{Kind: "computer", Key: "build-07", Reason: "gone"}}
	full.Comparison = &drift.Comparison{PreviousAt: oldest, New: []drift.Ref{{}}, Unknown: []drift.Ref{{}}}
	same := base()
	same.Summary.Checked = 1
	same.Limits.Confirmed, same.Limits.OldestConfirmation = 1, &oldest
	unknown, nothing := base(), base()
	unknown.Verdict, unknown.Coverage = drift.Unknown, drift.Coverage{Missing: []org.Gap{{Fact: "settings", Error: "settings unknown: the history is empty"}}}
	unknown.Settings = drift.Settings{}
	nothing.Verdict, nothing.Settings.FromRevision = drift.Unknown, 0
	return map[string]*drift.Report{"drift_full": full, "drift_same": same, "drift_unknown": unknown, "drift_nothing": nothing}
}

func TestDriftGoldens(t *testing.T) {
	t.Parallel()
	for name, r := range driftReports() {
		text, markdown := writeDrift(t, Text, r), writeDrift(t, Markdown, r)
		golden(t, name+".txt", text)
		golden(t, name+".md", markdown)
		checkHarmless(t, text)
		checkHarmless(t, markdown)
		checkMarkdown(t, markdown)
	}
}

// TestLimitsAreNeverInSync holds the words for limits, whatever is known of them.
func TestLimitsAreNeverInSync(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 3)
		l := drift.Limits{Confirmed: n.Draw(t, "confirmed"), Unknown: n.Draw(t, "unknown"), NeverSet: n.Draw(t, "never"), Expired: n.Draw(t, "expired")}
		line := limitsLine(l)
		if l.Total() == 0 && line == "" {
			return
		}
		if !strings.HasPrefix(line, "limits: not checkable (write-only).") || strings.Contains(line, "sync") || strings.Contains(line, "current") {
			t.Fatalf("%+v: %q", l, line)
		}
	})
}

// drawDrift draws a report of hostile texts in every place.
func drawDrift(t *rapid.T) *drift.Report {
	pool := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(hostileTexts), rapid.String()), 7, 7).Draw(t, "texts")
	next := 0
	str := func() string {
		next++
		return pool[next*next%len(pool)]
	}
	value := func() drift.Value { return drift.Some(map[string]any{str(): []any{str()}}) }
	number := rapid.SampledFrom([]int{0, 1, 3, 20, 150})
	src := org.Source{File: str(), Line: 1, Column: 2}
	r := &drift.Report{Project: str(), Verdict: str(), Target: org.Target{BaseURL: str(), Organization: str()}}
	r.Settings.ToRevision, r.Settings.AsOf = 3, str()
	for i := range number.Draw(t, "changes") {
		d := drift.Difference{Path: str(), Change: str(), Before: value(), After: value()}
		c := drift.Change{Difference: d, Revision: int64(i % 3), Actor: org.Actor{Name: str()}, UpdatedAt: str(), Source: &src, Fingerprint: str(), RenamedTo: str()}
		if i%2 == 0 {
			c.Transient, c.Began = true, &drift.Moment{Revision: 1, Actor: org.Actor{Email: str()}, UpdatedAt: str()}
		}
		if i%5 == 0 {
			c.Expected, c.Accepted = value(), &drift.Accepted{Reason: str(), Until: str()}
		}
		c.Items = &drift.Items{Added: []drift.Value{value()}, Removed: []drift.Value{value()}, Changed: []drift.ItemChange{{Key: str(), Changes: []drift.Difference{d}}}}
		r.Settings.Changes = append(r.Settings.Changes, c)
	}
	for range number.Draw(t, "computers") {
		r.Computers = append(r.Computers, drift.Computer{Name: str(), ID: str(), Verdict: str(), Detail: str(), Health: str(), Fingerprint: str(), Fields: []plan.Field{{Name: str(), Before: str(), After: str()}}})
	}
	for range number.Draw(t, "unmanaged") {
		r.Unmanaged.Members = append(r.Unmanaged.Members, drift.Member{Email: str(), Why: drift.WhyLeft, Detail: str()})
		r.Unmanaged.Models = append(r.Unmanaged.Models, drift.SeenThing{Name: str(), Sessions: 2})
		r.Expired = append(r.Expired, drift.Acceptance{Kind: str(), Key: str(), Until: str(), Reason: str()})
		r.Coverage.Missing = append(r.Coverage.Missing, org.Gap{Fact: str(), Key: str(), Error: str()})
	}
	return r
}

func TestDriftIsHarmless(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := drawDrift(t)
		for _, format := range DriftFormats() {
			out := writeDrift(t, format, r)
			if format == GitHub {
				continue // commands are what it is made of: checkGitHub knows which
			}
			checkHarmless(t, out)
			if format == Markdown {
				checkMarkdown(t, out)
			}
		}
		d := drift.RevisionDiff{From: drift.Moment{UpdatedAt: r.Project}}
		for _, c := range r.Settings.Changes {
			c.Path = "/" + strings.TrimPrefix(c.Path, "/")
			d.Changes, d.Secrets = append(d.Changes, c.Difference), append(d.Secrets, c.Path)
		}
		var b bytes.Buffer
		for _, format := range []string{Text, JSON} {
			if err := RevisionDiff(&b, format, d, Options{}); err != nil {
				t.Fatal(err)
			}
			if err := Blame(&b, format, Origin{Path: r.Project, Value: drift.Some(r.Verdict), BeforeKnown: true, Blame: org.Blame{Actor: org.Actor{Name: r.Settings.AsOf}}}, Options{}); err != nil {
				t.Fatal(err)
			}
		}
		if err := RevisionLine(&b, org.Revision{UpdatedAt: r.Project, Settings: map[string]any{r.Verdict: r.Settings.AsOf}}); err != nil {
			t.Fatal(err)
		}
		checkHarmless(t, b.String())
	})
}
