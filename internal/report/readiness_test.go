package report_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/report"
)

// readinessReport is a report of a repository some days before the twentieth.
func readinessReport(id, url string, daysAgo int, criteria map[string][2]int) api.Report {
	at := time.Date(2026, 11, 20-daysAgo, 9, 0, 0, 0, time.UTC).UnixMilli()
	r := api.Report{ReportID: id, CreatedAt: json.Number(fmt.Sprint(at)), RepoURL: url, Report: map[string]api.Criterion{}}
	for name, c := range criteria {
		r.Report[name] = api.Criterion{Numerator: json.Number(fmt.Sprint(c[0])), Denominator: json.Number(fmt.Sprint(c[1]))}
	}
	return r
}

func readiness(reports []api.Report, declared []string, want report.RepositoryWant) *report.Readiness {
	m := report.New(input())
	m.SetReadiness(reports, declared, func(string) report.RepositoryWant { return want })
	return m.Report().Readiness
}

// TestReadiness: the score is the mean over the criteria (T49), the lowest comes first, what
// fails most is counted over repositories, and one without a report is unknown.
func TestReadiness(t *testing.T) {
	t.Parallel()
	least := 0.7
	got := readiness([]api.Report{
		readinessReport("a1", "https://a", 9, map[string][2]int{"lint": {0, 4}, "tests": {1, 1}}),
		readinessReport("a2", "https://a", 1, map[string][2]int{"lint": {2, 4}, "tests": {1, 1}}),
		readinessReport("b1", "https://u:pw@b", 1, map[string][2]int{"lint": {1, 4}, "tests": {0, 2}}),
	}, []string{"https://none"}, report.RepositoryWant{MinScore: &least})
	type row struct {
		URL, Standing string
		Score, Change float64
		Trend         int
	}
	var rows []row
	for _, r := range got.Repositories {
		x := row{URL: r.URL, Standing: r.Standing, Trend: len(r.Trend)}
		if r.Score != nil {
			x.Score = *r.Score
		}
		if r.Change != nil {
			x.Change = *r.Change
		}
		rows = append(rows, x)
	}
	want := []row{{"https://redacted@b", "low", 0.125, 0, 1}, {"https://a", "ok", 0.75, 0.25, 2}, {"https://none", "no_report", 0, 0, 0}}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Error(diff)
	}
	first := got.Criteria[0]
	if first.ID != "lint" || len(first.Failing) != 2 || first.Passed != 3 || first.Evaluated != 8 {
		t.Errorf("%+v", first)
	}
}

// TestRemarks: what must be known to read a score, and what makes two not comparable.
func TestRemarks(t *testing.T) {
	t.Parallel()
	criteria := map[string][2]int{"lint": {1, 1}}
	model := func(id string) *api.ModelUsed { return &api.ModelUsed{ID: id} }
	for name, test := range map[string]struct {
		change func(newest, before *api.Report)
		want   report.RepositoryWant
		remark string
		fair   bool // the scores can be compared
	}{
		"T49 nothing":                  {fair: true},
		"T50 old":                      {want: report.RepositoryWant{MaxAge: 12 * time.Hour}, remark: "1 days old; 0 are accepted", fair: true},
		"T50 another branch":           {change: func(n, b *api.Report) { n.Branch, b.Branch = new("dev"), new("dev") }, want: report.RepositoryWant{Branch: "main"}, remark: `about branch "dev"; "main" is declared: not comparable`, fair: true},
		"T50 not a clean commit":       {change: func(n, _ *api.Report) { n.HasLocalChanges = new(true) }, remark: "not made from a clean, pushed commit", fair: true},
		"T51 a criterion is gone":      {change: func(_, b *api.Report) { b.Report["tests"] = b.Report["lint"] }, remark: `criterion "tests" disappeared`, fair: true},
		"T52 another model":            {change: func(n, b *api.Report) { n.ModelUsed, b.ModelUsed = model("x"), model("y") }, remark: `evaluated by "x", before by "y": the scores are not comparable`},
		"U23 at the same time":         {change: func(n, b *api.Report) { b.CreatedAt = n.CreatedAt }, remark: "two reports have the same time; the one with the larger id is taken", fair: true},
		"the branch before is another": {change: func(_, b *api.Report) { b.Branch = new("dev") }, remark: `the report before is about branch "dev": the scores are not comparable`},
	} {
		newest, before := readinessReport("r2", "https://a", 1, criteria), readinessReport("r1", "https://a", 5, criteria)
		if test.change != nil {
			test.change(&newest, &before)
		}
		r := readiness([]api.Report{before, newest}, nil, test.want).Repositories[0]
		want := []string{}
		if test.remark != "" {
			want = append(want, test.remark)
		}
		if diff := cmp.Diff(want, r.Remarks); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if (r.Change != nil) != test.fair || r.ReportID != "r2" {
			t.Errorf("%s: change %v of %s", name, r.Change, r.ReportID)
		}
	}
}

// TestUnreadableReport: a report whose numbers cannot be is no score.
func TestUnreadableReport(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]int{{2, 1}, {0, 0}, {-1, 3}} {
		r := readiness([]api.Report{readinessReport("r", "https://a", 1, map[string][2]int{"lint": c})}, nil, report.RepositoryWant{}).Repositories[0]
		if r.Score != nil || r.Standing != "unreadable" || len(r.Remarks) != 1 {
			t.Errorf("%v: %+v", c, r)
		}
	}
}

func TestHistory(t *testing.T) {
	t.Parallel()
	m := report.New(input())
	ada, linus := org.Actor{Email: "ada@x.example"}, org.Actor{Email: "linus@x.example"}
	m.SetHistory([]org.RevisionChange{
		{Revision: 3, UpdatedAt: "2026-11-03T23:59:59Z", Actor: ada}, {Revision: 2, UpdatedAt: "2026-11-04T00:30:00+01:00", Actor: linus}, {Revision: 1, UpdatedAt: "?", Actor: ada},
	}, false)
	s := m.Report().Settings
	if diff := cmp.Diff([]report.Actor{{Actor: ada, Revisions: 2}, {Actor: linus, Revisions: 1}}, s.Actors); diff != "" {
		t.Error(diff)
	}
	if s.InWindow != 2 {
		t.Errorf("%d revisions in the window", s.InWindow)
	}
}
