package org

import "slices"

// Rule describes a policy rule to whoever reads its findings.
type Rule struct {
	ID          string   `json:"id"`
	Kind        string   `json:"kind"` // the kind of input it judges, "" for rules of the engine itself
	Title       string   `json:"title"`
	Description string   `json:"description,omitempty"`
	Severity    string   `json:"severity"` // after overrides
	Remediation string   `json:"remediation"`
	Default     bool     `json:"default"` // on unless the configuration says otherwise
	Enabled     bool     `json:"enabled"` // on in this run
	Requires    []string `json:"requires,omitempty"`
	Tags        []string `json:"tags,omitempty"`
	Since       string   `json:"since,omitempty"`
	Package     string   `json:"package,omitempty"` // as Rego spells it, "" for rules of the engine itself
	Source      Source   `json:"source,omitzero"`   // where the rule is written
}

// Judged is one document that rules were evaluated on.
type Judged struct {
	Kind    string `json:"kind"`
	Subject string `json:"subject"`
	Rules   int    `json:"rules"` // how many were evaluated
}

// FindingsReport is what policies say of some documents. Every output format replays it.
type FindingsReport struct {
	Verdict  string        `json:"verdict"` // pass | deny
	FailOn   string        `json:"fail_on"` // the lowest severity that denies
	Summary  FindingCounts `json:"summary"`
	Judged   []Judged      `json:"judged"`
	Gaps     []Gap         `json:"incomplete"`
	Findings []Finding     `json:"findings"`
	Rules    []Rule        `json:"rules"` // of the kinds judged, sorted by id
}

// FindingCounts counts findings by what becomes of them.
type FindingCounts struct {
	Open          map[string]int `json:"open"` // by severity
	Waived        int            `json:"waived"`
	Indeterminate int            `json:"indeterminate"`
	Errored       int            `json:"errored"`
	Denied        int            `json:"denied"` // open or errored at fail_on or above
}

// The statuses of a finding.
const (
	Open          = "open"          // the rule fired
	Waived        = "waived"        // it fired and somebody accepted that for a time
	Indeterminate = "indeterminate" // what the rule needs is not in the document
	Errored       = "errored"       // the rule could not be evaluated
)

// DefaultFailOn is the severity that denies when the configuration names none.
const DefaultFailOn = "high"

// Severities lists the severities, worst first.
func Severities() []string { return []string{"critical", "high", "medium", "low", "info"} }

// SeverityRank orders severities: 0 is the worst, and an unknown one counts as that.
func SeverityRank(s string) int { return max(0, slices.Index(Severities(), s)) }

// Denies reports whether f blocks: it is open or could not be evaluated, and is at least
// as severe as failOn ("" is DefaultFailOn).
func (f Finding) Denies(failOn string) bool {
	if failOn == "" {
		failOn = DefaultFailOn
	}
	return (f.Status == Open || f.Status == Errored) && SeverityRank(f.Severity) <= SeverityRank(failOn)
}

// CountFindings counts findings; failOn is the lowest severity that denies.
func CountFindings(findings []Finding, failOn string) FindingCounts {
	c := FindingCounts{Open: map[string]int{}}
	for _, f := range findings {
		switch f.Status {
		case Waived:
			c.Waived++
		case Indeterminate:
			c.Indeterminate++
		case Errored:
			c.Errored++
		default:
			c.Open[f.Severity]++
		}
		if f.Denies(failOn) {
			c.Denied++
		}
	}
	return c
}
