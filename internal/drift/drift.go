// Package drift says what changed behind the back of a project: what, who and when.
//
// Make is pure: it judges a plan and a fold of the settings history. Three axes are kept
// apart. Drift is what differs from the declaration or from the accepted revision.
// Coverage is what could be read at all: without it nothing is ever in sync. Policy is
// what rules say of the newest settings, whether they drifted or not. Limits are on none
// of them, because the API cannot be asked for them: they are unverifiable, always.
//
// What is accepted stands in a file beside the configuration, not in the ledger: it is a
// decision of people that a pull request reviews and that every machine must share, and
// drift itself writes nothing. Nothing is left out because it is accepted or ignored; it
// is listed with the reason and does not count.
package drift

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
)

// FormatVersion is the version of the report's JSON.
const FormatVersion = "1.0"

// Verdicts of a report.
const (
	InSync  = "in_sync"
	Drifted = "drifted" // something that is not accepted differs
	Unknown = "unknown" // nothing seen differs, but not everything could be seen
)

// Report is what drift found. Every list is sorted and, in JSON, present.
type Report struct {
	FormatVersion string      `json:"format_version"`
	CreatedAt     time.Time   `json:"created_at"`
	Project       string      `json:"project"` // directory as the user named it
	Name          string      `json:"name"`    // what the project is called in labels and titles
	Target        org.Target  `json:"target"`
	Verdict       string      `json:"verdict"`
	Summary       Summary     `json:"summary"`
	Coverage      Coverage    `json:"coverage"`
	Policy        Policy      `json:"policy"`
	Settings      Settings    `json:"settings"`
	Computers     []Computer  `json:"computers"`
	Limits        Limits      `json:"limits"`
	Unmanaged     Unmanaged   `json:"unmanaged"`
	Comparison    *Comparison `json:"comparison,omitempty"` // with the previous report, if one was given
	// Expired are acceptances whose date has passed: what they covered counts again.
	Expired []Acceptance `json:"expired"`
	// Unused are acceptances in force that cover nothing any more.
	Unused  []Acceptance `json:"unused"`
	Ignores []Ignore     `json:"ignores"` // in the order they were read
	// Manual is what a person has to do in the web application, sorted by path, and
	// ManualPatch all of it at once, on the settings of revision Settings.ToRevision.
	Manual      []Manual       `json:"manual"`
	ManualPatch []plan.PatchOp `json:"manual_patch"`
	// MinConsecutive is in how many reports in a row a difference has to be before it
	// alerts; 0 is 1.
	MinConsecutive int `json:"min_consecutive,omitempty"`
	// Untold are the fingerprints of differences that began to alert and that nobody could
	// be told of: a report with this one as the previous has them among its Fresh.
	Untold   []string      `json:"untold,omitempty"`
	Findings []org.Finding `json:"findings"` // what rules say of the newest settings, and of ignore rules
	Rules    []org.Rule    `json:"rules"`    // the rules of Findings, sorted by id
}

// Summary counts a report.
type Summary struct {
	Checked   int `json:"checked"`   // settings and computers that were compared
	Drifted   int `json:"drifted"`   // differences that are neither accepted nor ignored
	Accepted  int `json:"accepted"`  // differences that are accepted
	Transient int `json:"transient"` // values that came and went, neither accepted nor ignored
	Ignored   int `json:"ignored"`   // differences that an ignore rule leaves out and nobody accepted
	Pending   int `json:"pending"`   // of Drifted: in fewer than MinConsecutive reports in a row
}

// Coverage says what could be read. It is an axis of its own: drift may be found in what
// was read while something else was not.
type Coverage struct {
	Complete bool      `json:"complete"`
	Missing  []org.Gap `json:"missing"`
}

// Input is everything Make looks at.
type Input struct {
	Plan     *plan.Plan // of the whole project, without a selection
	Want     org.Wanted
	Have     org.Live
	Last     org.Known
	Since    int64    // revision the history is compared with, 0 for none
	History  *History // fold from the newest revision to Since; nil where there is nothing to fold
	Sessions *Sessions
	Usage    *Usage // nil: not asked for
	Baseline Baseline
	Ignores  Ignores             // nil for none
	Policy   *org.FindingsReport // what rules say of the newest settings; nil: they were not asked
	Name     string

	Previous       *Report // nil for none
	MinConsecutive int
	Closed         map[string]org.Blame // by pointers that Comparison.Unexplained named: when they became what they are
	Now            time.Time
}

// Make judges the facts. It never fails: what cannot be judged is missing coverage.
func Make(in Input) *Report {
	r := &Report{
		FormatVersion: FormatVersion, CreatedAt: in.Now.UTC(), Project: in.Plan.Project, Target: in.Plan.Target,
		Name: in.Name, MinConsecutive: in.MinConsecutive,
		Coverage: Coverage{Missing: append([]org.Gap{}, in.Plan.Incomplete...)},
	}
	r.addSettings(in)
	r.addComputers(in)
	r.addLimits(in)
	r.addUnmanaged(in)
	r.addFindings(in)
	r.ignore(in.Ignores, in.Now)
	r.print()
	r.accept(in.Baseline, in.Now)
	r.addManual(in)
	r.Coverage.Complete = len(r.Coverage.Missing) == 0
	if in.Previous != nil {
		r.Comparison = compare(in, r)
		r.Untold = among(r.Comparison.Unknown, in.Previous.Untold)
	}
	r.count()
	return r
}

// missing notes a fact that could not be read.
func (r *Report) missing(fact, key string, err error) {
	r.Coverage.Missing = append(r.Coverage.Missing, org.Gap{Fact: fact, Key: key, Error: err.Error()})
}

// count sums the report up and gives the verdict. A project in which nothing could be
// compared, such as one that declares limits only, is never in sync.
func (r *Report) count() {
	for _, d := range r.differences() {
		switch {
		case d.accepted:
			r.Summary.Accepted++
		case d.ignored:
			r.Summary.Ignored++
		case d.transient:
			r.Summary.Transient++
		default:
			r.Summary.Drifted++
			if r.pending(d.fingerprint) {
				r.Summary.Pending++
			}
		}
	}
	switch {
	case r.Summary.Drifted > 0:
		r.Verdict = Drifted
	case !r.Coverage.Complete || r.Summary.Checked == 0:
		r.Verdict = Unknown
	default:
		r.Verdict = InSync
	}
}

// difference is what settings and computers have in common.
type difference struct {
	kind, key, fingerprint       string
	accepted, ignored, transient bool
}

// counts reports whether nobody decided that d may be.
func (d difference) counts() bool { return !d.accepted && !d.ignored }

// Kinds of differences.
const (
	kindSetting  = "setting"
	kindComputer = "computer"
)

// differences lists everything that can be accepted.
func (r *Report) differences() []difference {
	var out []difference
	for _, c := range r.Settings.Changes {
		out = append(out, difference{kindSetting, c.Path, c.Fingerprint, c.Accepted != nil, c.Ignored != nil, c.Transient})
	}
	for _, c := range r.Computers {
		if c.differs() {
			out = append(out, difference{kindComputer, c.Name, c.Fingerprint, c.Accepted != nil, c.Ignored != nil, false})
		}
	}
	return out
}

// incomplete reports whether facts of a kind are missing, about key or about all.
func (r *Report) incomplete(fact, key string) bool {
	return slices.ContainsFunc(r.Coverage.Missing, func(g org.Gap) bool {
		return g.Fact == fact && (g.Key == "" || g.Key == key)
	})
}

// Alerts reports whether something counts and has been there for long enough.
func (r *Report) Alerts() bool { return r.Summary.Drifted > r.Summary.Pending }

// About reports an error if r, which may be nil, is of another organization or service:
// everything in it would look resolved.
func (r *Report) About(t org.Target) error {
	switch {
	case r == nil:
	case r.Target.BaseURL != t.BaseURL:
		return fmt.Errorf("the report is about %s, not %s", r.Target.BaseURL, t.BaseURL)
	case r.Target.Organization != t.Organization && r.Target.Organization != "" && t.Organization != "":
		return fmt.Errorf("the report is about organization %s, not %s", r.Target.Organization, t.Organization)
	}
	return nil
}

// Decode reads a stored report.
func Decode(data []byte) (*Report, error) {
	r := new(Report)
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("not a drift report: %w", err)
	}
	if r.FormatVersion != FormatVersion || r.Limits.Verdict != Unverifiable {
		return nil, fmt.Errorf("not a drift report of format %s", FormatVersion)
	}
	return r, nil
}
