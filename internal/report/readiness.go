package report

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/org"
)

// maxTrend is how many of the newest scores of a repository are kept.
const maxTrend = 12

// Readiness is how ready the repositories are, by their newest reports.
type Readiness struct {
	Repositories []Repository `json:"repositories"` // lowest score first, those without a report at the end
	Criteria     []Criterion  `json:"criteria"`     // of the newest reports, what fails most first
	Reports      int          `json:"reports"`      // visible to this key
}

// RepositoryWant is what the configuration asks of a repository.
type RepositoryWant struct {
	MinScore *float64
	MaxAge   time.Duration // 0: nothing is asked
	Branch   string        // "": any
}

// Repository is one repository. Score is the mean over the criteria of the passing share;
// there is no level in the API.
type Repository struct {
	URL       string    `json:"url"`
	ReportID  string    `json:"report_id,omitempty"`
	CreatedAt time.Time `json:"created_at,omitzero"`
	Branch    string    `json:"branch,omitempty"`
	Passed    float64   `json:"passed"`    // sub-applications that pass, over all criteria
	Evaluated float64   `json:"evaluated"` // sub-applications evaluated
	Score     *float64  `json:"score"`     // nil: no report visible to this key, or one that is none
	Change    *float64  `json:"change"`    // to the report before, if the two can be compared
	Trend     []Score   `json:"trend"`     // oldest first
	MinScore  *float64  `json:"min_score,omitempty"`
	Standing  string    `json:"standing"` // ok | low | no_report | unreadable; ok also where nothing is asked
	Remarks   []string  `json:"remarks"`  // what must be known to read the score
	Failing   []string  `json:"failing"`  // criteria that do not pass everywhere, weakest first
}

// Score is one report of a repository.
type Score struct {
	At    time.Time `json:"at"`
	Score float64   `json:"score"`
}

// Criterion is how a criterion does over the newest reports of all repositories.
type Criterion struct {
	ID           string   `json:"id"`
	Repositories int      `json:"repositories"` // that were evaluated for it
	Failing      []string `json:"failing"`      // those where it does not pass everywhere
	Passed       float64  `json:"passed"`
	Evaluated    float64  `json:"evaluated"`
}

// SetReadiness gives the reports that are visible, in any order, what is asked of a
// repository by its URL, and the repositories that are declared.
func (m *Maker) SetReadiness(reports []api.Report, declared []string, wants func(url string) RepositoryWant) {
	m.reports, m.declared, m.wants, m.reportsRead = reports, declared, wants, true
}

// graded is a report that was read.
type graded struct {
	*api.Report
	at                    time.Time
	score                 float64
	passed, evaluated     float64
	shares                map[string]float64 // by criterion
	passedBy, evaluatedBy map[string]float64
	err                   error
}

// grade reads the numbers of a report: 0 to denominator, and at least 1 evaluated (C123).
func grade(r *api.Report) graded {
	g := graded{Report: r, shares: map[string]float64{}, passedBy: map[string]float64{}, evaluatedBy: map[string]float64{}}
	ms, err := number(r.CreatedAt)
	if err != nil {
		g.err = fmt.Errorf("createdAt: %w", err)
		return g
	}
	g.at = time.UnixMilli(int64(ms)).UTC()
	for _, id := range sortedKeys(r.Report) {
		c := r.Report[id]
		n, err1 := number(c.Numerator)
		d, err2 := number(c.Denominator)
		if err1 != nil || err2 != nil || d < 1 || n > d {
			g.err = fmt.Errorf("criterion %.80q is no evaluation", id)
			return g
		}
		g.shares[id], g.passedBy[id], g.evaluatedBy[id] = n/d, n, d
		g.passed, g.evaluated, g.score = g.passed+n, g.evaluated+d, g.score+n/d
	}
	if len(r.Report) == 0 {
		g.err = fmt.Errorf("there are no criteria")
		return g
	}
	g.score = rounded(g.score / float64(len(r.Report)))
	return g
}

func (m *Maker) makeReadiness() *Readiness {
	if !m.reportsRead {
		return nil
	}
	out := &Readiness{Repositories: []Repository{}, Criteria: []Criterion{}, Reports: len(m.reports)}
	byURL := map[string][]graded{}
	for _, url := range m.declared {
		byURL[url] = nil
	}
	for i := range m.reports {
		byURL[m.reports[i].RepoURL] = append(byURL[m.reports[i].RepoURL], grade(&m.reports[i]))
	}
	criteria := map[string]*Criterion{}
	for _, url := range sortedKeys(byURL) {
		list := byURL[url]
		slices.SortStableFunc(list, func(a, b graded) int { return cmp.Or(b.at.Compare(a.at), cmp.Compare(b.ReportID, a.ReportID)) })
		want := RepositoryWant{}
		if m.wants != nil {
			want = m.wants(url)
		}
		r := m.repository(org.RedactURL(url), list, want)
		out.Repositories = append(out.Repositories, r)
		if r.Score == nil {
			continue
		}
		for _, id := range sortedKeys(list[0].shares) {
			c := criteria[id]
			if c == nil {
				c = &Criterion{ID: id, Failing: []string{}}
				criteria[id] = c
			}
			c.Repositories++
			c.Passed, c.Evaluated = c.Passed+list[0].passedBy[id], c.Evaluated+list[0].evaluatedBy[id]
			if list[0].shares[id] < 1 {
				c.Failing = append(c.Failing, r.URL)
			}
		}
	}
	for _, c := range criteria {
		out.Criteria = append(out.Criteria, *c)
	}
	slices.SortFunc(out.Criteria, func(a, b Criterion) int {
		return cmp.Or(cmp.Compare(len(b.Failing), len(a.Failing)), cmp.Compare(a.Passed/a.Evaluated, b.Passed/b.Evaluated), cmp.Compare(a.ID, b.ID))
	})
	slices.SortStableFunc(out.Repositories, func(a, b Repository) int {
		switch {
		case a.Score == nil || b.Score == nil:
			return compareKnown(b.Score, a.Score)
		default:
			return cmp.Compare(*a.Score, *b.Score)
		}
	})
	return out
}

// repository is what its reports, newest first, say of one repository.
func (m *Maker) repository(url string, list []graded, want RepositoryWant) Repository {
	r := Repository{URL: url, MinScore: want.MinScore, Trend: []Score{}, Remarks: []string{}, Failing: []string{}, Standing: "ok"}
	if len(list) == 0 {
		r.Standing = "no_report"
		r.Remarks = append(r.Remarks, "no report visible to this key")
		return r
	}
	newest := list[0]
	r.ReportID, r.CreatedAt = newest.ReportID, newest.at
	if newest.Branch != nil {
		r.Branch = *newest.Branch
	}
	if newest.err != nil {
		r.Standing = "unreadable"
		r.Remarks = append(r.Remarks, "the newest report cannot be read: "+newest.err.Error())
		return r
	}
	score := newest.score
	r.Score, r.Passed, r.Evaluated = &score, newest.passed, newest.evaluated
	if want.MinScore != nil && score < *want.MinScore {
		r.Standing = "low"
	}
	for _, g := range slices.Backward(list[:min(len(list), maxTrend)]) {
		if g.err == nil {
			r.Trend = append(r.Trend, Score{g.at, g.score})
		}
	}
	r.Failing = failing(newest)
	r.remark(list, want, m.in.Now)
	return r
}

// failing lists criteria that do not pass everywhere, weakest first.
func failing(g graded) []string {
	out := []string{}
	for _, id := range sortedKeys(g.shares) {
		if g.shares[id] < 1 {
			out = append(out, id)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(g.shares[a], g.shares[b]) })
	return out
}

// remark says what must be known to read the score, and how it changed if two reports can
// be compared (T49-T52).
func (r *Repository) remark(list []graded, want RepositoryWant, now time.Time) {
	say := func(format string, args ...any) { r.Remarks = append(r.Remarks, fmt.Sprintf(format, args...)) }
	newest := list[0]
	if age := now.Sub(newest.at); want.MaxAge > 0 && age > want.MaxAge {
		say("%d days old; %d are accepted", int(age.Hours()/24), int(want.MaxAge.Hours()/24))
	}
	if want.Branch != "" && r.Branch != want.Branch {
		say("about branch %q; %q is declared: not comparable", r.Branch, want.Branch)
	}
	if isTrue(newest.HasLocalChanges) || isTrue(newest.HasNonRemoteCommits) {
		say("not made from a clean, pushed commit")
	}
	if len(list) < 2 || list[1].err != nil {
		return
	}
	before := list[1]
	if before.at.Equal(newest.at) {
		say("two reports have the same time; the one with the larger id is taken")
	}
	for _, id := range sortedKeys(before.shares) {
		if _, still := newest.shares[id]; !still {
			say("criterion %q disappeared", id)
		}
	}
	switch {
	case evaluator(newest) != evaluator(before):
		say("evaluated by %s, before by %s: the scores are not comparable", evaluator(newest), evaluator(before))
	case branch(newest) != branch(before):
		say("the report before is about branch %q: the scores are not comparable", branch(before))
	default:
		change := rounded(newest.score - before.score)
		r.Change = &change
	}
}

func branch(g graded) string {
	if g.Branch == nil {
		return ""
	}
	return *g.Branch
}

// evaluator is who evaluated.
func evaluator(g graded) string {
	if g.ModelUsed == nil {
		return "an unknown model"
	}
	if e := g.ModelUsed.ReasoningEffort; e != nil {
		return fmt.Sprintf("%q (effort %s)", g.ModelUsed.ID, *e)
	}
	return fmt.Sprintf("%q", g.ModelUsed.ID)
}

func isTrue(b *bool) bool { return b != nil && *b }
