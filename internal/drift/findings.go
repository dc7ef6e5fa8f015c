package drift

import (
	"slices"
	"strings"

	"github.com/govctl/govctl/internal/org"
)

// Verdicts of Policy besides Unknown, which means that there are no settings to judge.
const (
	Pass      = "pass"
	Deny      = "deny"
	PolicyOff = "off" // nobody asked the rules
)

// Policy says what the rules make of the newest settings. It is an axis of its own:
// settings may drift without breaking a rule, and break one without drifting.
type Policy struct {
	Verdict string            `json:"verdict"` // pass | deny | unknown | off
	FailOn  string            `json:"fail_on"` // lowest severity that denies, "" when off
	Counts  org.FindingCounts `json:"summary"`
	Missing []org.Gap         `json:"missing"` // what rules asked for and could not be read
}

// Unsure reports whether a rule could not be judged.
func (p Policy) Unsure() bool {
	return p.Verdict == Unknown || len(p.Missing) > 0 || p.Counts.Indeterminate > 0
}

// addFindings takes over what the rules say, with who made the value what it is, as far
// as the fold of the history knows: nothing more is read for it.
func (r *Report) addFindings(in Input) {
	r.Findings, r.Rules = []org.Finding{}, []org.Rule{}
	r.Policy = Policy{Verdict: PolicyOff, Counts: org.CountFindings(nil, ""), Missing: []org.Gap{}}
	if in.Policy == nil {
		return
	}
	p := in.Policy
	r.Policy = Policy{Verdict: Unknown, FailOn: p.FailOn, Counts: p.Summary, Missing: append([]org.Gap{}, p.Gaps...)}
	if len(p.Judged) > 0 {
		r.Policy.Verdict = Pass
		if p.Summary.Denied > 0 {
			r.Policy.Verdict = Deny
		}
	}
	said := map[string]bool{}
	for _, f := range p.Findings {
		if f.Blame == nil {
			f.Blame = in.blame(f.Path)
		}
		said[f.Rule] = true
		r.Findings = append(r.Findings, f)
	}
	for _, rule := range p.Rules {
		if said[rule.ID] {
			r.Rules = append(r.Rules, rule)
		}
	}
	slices.SortFunc(r.Rules, func(a, b org.Rule) int { return strings.Compare(a.ID, b.ID) })
}

// Denying lists the findings that forbid to accept what is there at the settings of list.
func (r *Report) Denying(list []Acceptance) []org.Finding {
	wanted := newTree()
	for _, a := range list {
		if a.Kind == kindSetting {
			wanted.add(a.Key)
		}
	}
	var out []org.Finding
	for _, f := range r.Findings {
		if f.Path != "" && f.Denies(r.Policy.FailOn) && wanted.touches(f.Path) {
			out = append(out, f)
		}
	}
	return out
}

// blame is the revision that made a value what it is: of an unmet expectation as it was
// asked for, of anything else as the fold has met it. What the fold did not meet is as old
// as the revision it ends with, or older. Nil is not known.
func (in Input) blame(pointer string) *org.Blame {
	if b, ok := in.Have.Blame[pointer]; ok {
		return &b
	}
	if !in.History.Whole() || !strings.HasPrefix(pointer, "/") {
		return nil
	}
	h := in.History
	var newest *event
	for above := range upwards(pointer) {
		if p := h.places[above]; p != nil && (newest == nil || p.touched.moment.Revision > newest.moment.Revision) {
			newest = p.touched
		}
	}
	switch {
	case newest != nil:
		m := newest.moment
		return &org.Blame{Revision: m.Revision, Actor: m.Actor, UpdatedAt: m.UpdatedAt, AtOrBefore: newest.unsure}
	case h.untraced > 0:
		return nil
	}
	return &org.Blame{Revision: h.last.Number, Actor: h.last.Actor, UpdatedAt: h.last.UpdatedAt, AtOrBefore: true}
}
