package ledger

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/govctl/govctl/internal/org"
)

// Problem is something in a ledger that should not be there.
type Problem struct {
	Line     int    // from 1; in a shared ledger the serial of a record
	Message  string // one sentence without full stop
	Harmless bool   // a merge leaves it, and it changes nothing of what is known
}

// Verify lists structural problems in the order of lines; none is nil. They do not make
// a ledger unreadable: what a problem touches is unknown or ignored.
func (l *Log) Verify() []Problem {
	v := verifier{first: map[string]int{}, intentions: map[string]*Record{}}
	for i := range l.records {
		if r := &l.records[i]; r.Kind == Intention {
			v.intentions[r.ID] = r
		}
	}
	for i := range l.records {
		v.line = l.lines[i]
		if i > 0 && l.records[i].At.Before(l.records[i-1].At) {
			v.say("is older than the record before it, as after a merge")
			v.problems[len(v.problems)-1].Harmless = true
		}
		v.record(&l.records[i])
	}
	if l.torn != 0 {
		v.line = l.torn
		v.say("was cut off by a crash; the next apply removes it")
	}
	slices.SortStableFunc(v.problems, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
	return v.problems
}

// verifier gathers problems.
type verifier struct {
	line       int
	first      map[string]int // line where an id stands first
	intentions map[string]*Record
	problems   []Problem
}

func (v *verifier) say(format string, args ...any) {
	v.problems = append(v.problems, Problem{Line: v.line, Message: fmt.Sprintf(format, args...)})
}

func (v *verifier) record(r *Record) {
	if line, twice := v.first[r.ID]; twice {
		v.say("record %s stands already on line %d", r.ID, line)
	} else {
		v.first[r.ID] = v.line
	}
	switch r.Kind {
	case Intention:
		v.intention(r)
	case Outcome:
		v.outcome(r)
	case Import:
		v.imported(r)
	default:
		v.say("kind %q is not known to this govctl; the record is kept and ignored", r.Kind)
	}
}

func (v *verifier) intention(r *Record) {
	if len(r.Limits) == 0 && r.Computer == nil && r.Session == nil {
		v.say("intention %s intends nothing", r.ID)
	}
	v.unique(r)
}

func (v *verifier) imported(r *Record) {
	if r.Import == nil {
		v.say("import %s does not say where it comes from", r.ID)
	}
	v.unique(r)
}

// unique checks that r names every address once.
func (v *verifier) unique(r *Record) {
	seen := make(map[org.Email]bool, len(r.Limits))
	for _, l := range r.Limits {
		if seen[l.Email] {
			v.say("%s %s names %s twice", r.Kind, r.ID, l.Email)
		}
		seen[l.Email] = true
	}
}

func (v *verifier) outcome(r *Record) {
	of := v.intentions[r.Of]
	if of == nil {
		v.say("outcome %s belongs to intention %q, which is not in this ledger", r.ID, r.Of)
		return
	}
	if !of.At.Before(r.At) {
		v.say("outcome %s is not later than its intention %s", r.ID, of.ID)
	}
	asked := make(map[org.Email]bool, len(of.Limits))
	for _, l := range of.Limits {
		asked[l.Email] = true
	}
	seen := make(map[org.Email]bool, len(of.Limits))
	check := func(email org.Email) {
		switch {
		case !asked[email]:
			v.say("outcome %s names %s, which its intention does not", r.ID, email)
		case seen[email]:
			v.say("outcome %s names %s twice", r.ID, email)
		}
		seen[email] = true
	}
	for _, list := range [][]org.Email{r.Set, r.Unknown, r.NotSent} {
		for _, email := range list {
			check(email)
		}
	}
	for _, refused := range r.Refused {
		check(refused.Email)
	}
}
