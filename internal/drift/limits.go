package drift

import (
	"time"

	"github.com/govctl/govctl/internal/org"
)

// Unverifiable is the verdict of limits, whatever is known of them.
const Unverifiable = "unverifiable"

// Limits says how well the declared limits are known. They are write-only: nobody can
// say that they are in sync.
type Limits struct {
	Verdict            string     `json:"verdict"` // unverifiable
	Confirmed          int        `json:"confirmed"`
	Unknown            int        `json:"unknown"`
	NeverSet           int        `json:"never_set"`
	Expired            int        `json:"expired"`
	OldestConfirmation *time.Time `json:"oldest_confirmation"` // of confirmed and expired ones; null without any
}

// addLimits counts the declared limits of members by grade.
func (r *Report) addLimits(in Input) {
	l := &r.Limits
	l.Verdict = Unverifiable
	if !in.Want.LimitsDeclared {
		return
	}
	grades := map[org.Email]org.Grade{} // of those the plan would send
	for _, c := range in.Plan.Limits {
		grades[c.Email] = c.Before.Grade
	}
	aside := map[string]bool{}
	for _, code := range []string{"not_in_organization", "ambiguous_address"} {
		for _, item := range noted(in.Plan, code) {
			aside[item.Key] = true
		}
	}
	for _, want := range in.Want.Limits {
		if aside[string(want.Email)] {
			continue
		}
		grade, sends := grades[want.Email]
		if !sends {
			grade = org.Confirmed // the plan leaves out nothing else
		}
		known, _ := in.Last.Limits.Of(want.Email)
		l.add(grade, known.At.UTC())
	}
}

func (l *Limits) add(grade org.Grade, at time.Time) {
	switch grade {
	case org.NeverSet:
		l.NeverSet++
		return
	case org.Unknown:
		l.Unknown++
		return
	case org.Expired:
		l.Expired++
	default:
		l.Confirmed++
	}
	if l.OldestConfirmation == nil || at.Before(*l.OldestConfirmation) {
		l.OldestConfirmation = &at
	}
}

// Total counts the declared limits of members.
func (l Limits) Total() int { return l.Confirmed + l.Unknown + l.NeverSet + l.Expired }
