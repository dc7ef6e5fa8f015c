package apply

import (
	"slices"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
)

// Results of an apply, worst first where several are true.
const (
	ResultNothing     = "nothing"     // the plan was empty
	ResultApplied     = "applied"     // everything planned is confirmed
	ResultPartial     = "partial"     // something is confirmed, something is not
	ResultFailed      = "failed"      // nothing is confirmed
	ResultRefused     = "refused"     // apply did not start; Reason says why
	ResultInterrupted = "interrupted" // stopped by a signal; what was in flight is finished
)

// Results of one computer or session.
const (
	Done         = "done"
	Failed       = "failed"        // the service said no: nothing changed
	Unknown      = "unknown"       // asked and not answered: the next plan asks again
	NotAttempted = "not_attempted" // never sent
)

// Report accounts for every planned entry: each is in exactly one list or has exactly
// one result. Lists are never null and keep the order of the plan.
type Report struct {
	FormatVersion string          `json:"format_version"`
	Result        string          `json:"result"`
	Reason        string          `json:"reason,omitempty"` // why it was refused or stopped
	PlanDigest    string          `json:"plan_digest"`
	Limits        LimitsReport    `json:"limits"`
	Computers     []ObjectOutcome `json:"computers"`
	Sessions      []ObjectOutcome `json:"sessions"`
	Manual        []ManualOutcome `json:"manual,omitempty"` // settings, if apply waited for them
	Warnings      []string        `json:"warnings"`         // what the service reported and nobody asked for
	Requests      int             `json:"requests"`
	Retries       int             `json:"retries"`
	DurationMS    int64           `json:"duration_ms"`
}

// LimitsReport has every planned limit in exactly one list.
type LimitsReport struct {
	Set          []LimitOutcome `json:"set"`
	Refused      []LimitOutcome `json:"refused"`
	Unknown      []LimitOutcome `json:"unknown"`
	NotAttempted []LimitOutcome `json:"not_attempted"`
}

// LimitOutcome is what became of one limit. Email is the folded address.
type LimitOutcome struct {
	Email string `json:"email"`
	Limit int64  `json:"limit"`
	Error string `json:"error,omitempty"` // the service's reason, or why the outcome is unknown

	Earlier bool `json:"earlier,omitempty"` // done by an earlier apply of the same plan
}

// ObjectOutcome is what became of one computer or session.
type ObjectOutcome struct {
	Name   string `json:"name"`
	Action string `json:"action"`
	Result string `json:"result"`
	ID     string `json:"id,omitempty"`
	Error  string `json:"error,omitempty"`

	Earlier bool `json:"earlier,omitempty"` // done by an earlier apply of the same plan
}

// ManualOutcome is what became of a setting that only a person can change.
type ManualOutcome struct {
	Path   string `json:"path"`
	Result string `json:"result"` // closed | open

	// Of a closed one: the revision in which the value became what it is, who made it and
	// when, as the service wrote it; 0 where nobody can tell.
	Revision  int64     `json:"revision,omitempty"`
	Actor     org.Actor `json:"actor,omitzero"`
	UpdatedAt string    `json:"updated_at,omitempty"`
}

// Results of a ManualOutcome.
const (
	Closed = "closed" // somebody did it
	Open   = "open"
)

// Await adds what became of the settings that apply waited for. One that is open means
// that not all of the plan is done.
func (r *Report) Await(list []ManualOutcome) {
	r.Manual = list
	open := slices.ContainsFunc(list, func(m ManualOutcome) bool { return m.Result == Open })
	if open && (r.Result == ResultNothing || r.Result == ResultApplied) {
		r.Result = ResultPartial
	}
}

// NewReport is a report of nothing yet.
func NewReport(planDigest string) *Report {
	return &Report{
		FormatVersion: "1.0", PlanDigest: planDigest, Result: ResultNothing,
		Limits: LimitsReport{
			Set: []LimitOutcome{}, Refused: []LimitOutcome{}, Unknown: []LimitOutcome{}, NotAttempted: []LimitOutcome{},
		},
		Computers: []ObjectOutcome{}, Sessions: []ObjectOutcome{}, Warnings: []string{},
	}
}

// Refused is the report of an apply of p that did not start: nothing was attempted.
func Refused(p *plan.Plan, why string) *Report {
	r := NewReport(p.Digest)
	r.Result, r.Reason = ResultRefused, why
	r.Limits.NotAttempted = append(r.Limits.NotAttempted, all(p.Limits, "")...)
	for _, c := range p.Computers {
		o := ObjectOutcome{Name: c.Name, Action: c.Action, ID: c.ID, Result: NotAttempted}
		if c.Action == plan.ActionBlocked {
			o.Error = c.Detail
		}
		r.Computers = append(r.Computers, o)
	}
	for _, s := range p.Sessions {
		r.Sessions = append(r.Sessions, ObjectOutcome{Name: s.ID, Action: plan.ActionUpdate, ID: s.ID, Result: NotAttempted})
	}
	return r
}

// conclude decides the result from the lists.
func (r *Report) conclude(interrupted bool) {
	good, bad := len(r.Limits.Set), len(r.Limits.Refused)+len(r.Limits.Unknown)+len(r.Limits.NotAttempted)
	for _, o := range slices.Concat(r.Computers, r.Sessions) {
		if o.Result == Done {
			good++
		} else {
			bad++
		}
	}
	switch {
	case interrupted && bad > 0:
		r.Result = ResultInterrupted
	case good == 0 && bad == 0:
		r.Result = ResultNothing
	case bad == 0 && len(r.Warnings) == 0:
		r.Result = ResultApplied
	case good == 0:
		r.Result = ResultFailed
	default:
		r.Result = ResultPartial
	}
}
