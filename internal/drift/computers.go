package drift

import (
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
)

// Verdicts of a computer besides InSync and Drifted.
const (
	Missing    = "missing"
	Conflict   = "conflict"   // it differs in a way that no request can settle
	Unreadable = "unreadable" // nobody knows
)

// Computer is a declared computer.
type Computer struct {
	Name        string       `json:"name"`
	ID          string       `json:"id,omitempty"`
	Verdict     string       `json:"verdict"`
	Fields      []plan.Field `json:"fields"`           // before: live, after: declared
	Detail      string       `json:"detail,omitempty"` // why there is a conflict, or why it was not read
	Health      string       `json:"health,omitempty"` // what the service says of one that is not active; no drift
	Source      *org.Source  `json:"source,omitempty"`
	Fingerprint string       `json:"fingerprint,omitempty"` // of one that differs
	Accepted    *Accepted    `json:"accepted,omitempty"`
	Ignored     *Ignored     `json:"ignored,omitempty"`

	IgnoredFields []IgnoredField `json:"ignored_fields,omitempty"` // that differ besides Fields
}

func (c Computer) differs() bool {
	return c.Verdict == Drifted || c.Verdict == Missing || c.Verdict == Conflict
}

// addComputers says of every declared computer what the plan found.
func (r *Report) addComputers(in Input) {
	planned := map[string]plan.ComputerChange{}
	for _, c := range in.Plan.Computers {
		if c.Action != plan.ActionRetryInstall { // that is health
			planned[c.Name] = c
		}
	}
	health := map[string]string{}
	for _, item := range noted(in.Plan, "computer_health") {
		health[item.Key] = item.Detail
	}
	r.Computers = []Computer{}
	for _, want := range in.Want.Computers {
		c := Computer{Name: want.Name, ID: liveID(want, in), Verdict: InSync, Fields: []plan.Field{}, Health: health[want.Name]}
		if !want.Source.IsZero() {
			c.Source = &want.Source
		}
		change, differs := planned[want.Name]
		switch {
		case differs:
			c.Verdict = verdictOf(change.Action)
			if change.Action != plan.ActionCreate { // everything of a missing one would differ
				c.Fields = append(c.Fields, change.Fields...)
			}
			if c.Verdict == Conflict {
				c.Detail = change.Detail
			}
		case r.incomplete("computer", want.Name) || c.ID != "" && r.incomplete("computer", c.ID):
			c.Verdict, c.Detail = Unreadable, r.why("computer", want.Name)
		}
		if c.Verdict != Unreadable {
			r.Summary.Checked++
		}
		r.Computers = append(r.Computers, c)
	}
}

func verdictOf(action string) string {
	switch action {
	case plan.ActionCreate:
		return Missing
	case plan.ActionBlocked:
		return Conflict
	}
	return Drifted
}

// why is the error of a missing fact.
func (r *Report) why(fact, key string) string {
	for _, g := range r.Coverage.Missing {
		if g.Fact == fact && (g.Key == "" || g.Key == key) {
			return g.Error
		}
	}
	return ""
}

// liveID is the id of the live computer that a declaration means, "" if none is known.
func liveID(c org.Computer, in Input) string {
	for _, id := range []string{c.ID, in.Last.Computers[c.Name].ID} {
		if live := in.Have.ByID[id]; live != nil {
			return live.ID
		}
	}
	for _, name := range append([]string{c.Name}, c.Previously...) {
		if live := in.Have.ByName[name]; live != nil {
			return live.ID
		}
	}
	return ""
}

// noted are the objects of one of the plan's notes.
func noted(p *plan.Plan, code string) []plan.NoteItem {
	for _, n := range p.Notes {
		if n.Code == code {
			return n.Items
		}
	}
	return nil
}
