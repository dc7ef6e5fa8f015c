package apply

import (
	"bytes"
	"slices"

	"github.com/govctl/govctl/internal/ledger"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
)

// Earlier is what earlier applies of a plan got done. The zero Earlier is nothing.
type Earlier struct {
	Limits    map[org.Email]bool
	Computers map[string]bool // by name
	Sessions  map[string]bool // by id
}

// count is how many changes of p are done.
func (e Earlier) count(p *plan.Plan) int {
	n := 0
	for _, c := range p.Limits {
		if e.Limits[c.Email] {
			n++
		}
	}
	return n + len(e.Computers) + len(e.Sessions)
}

// Resume says what of saved need not be sent again, and what moved since it was made
// apart from what applies of saved did themselves. now is a plan made of the facts of
// today and of a ledger without the records of saved; records are all of the ledger.
//
// A limit is done when an apply of saved got it confirmed and nothing made it uncertain
// again. A computer or session that an apply of saved touched is done when nothing is to
// be changed any more, and may be sent again when now has the very same change; anything
// else is a move.
func Resume(saved, now *plan.Plan, records []ledger.Record) (Earlier, []plan.Move) {
	touched := touchedBy(saved, records)
	done := Earlier{Limits: confirmed(saved, records), Computers: map[string]bool{}, Sessions: map[string]bool{}}
	for _, c := range saved.Computers {
		if touched.Computers[c.Name] && !slices.ContainsFunc(now.Computers, func(n plan.ComputerChange) bool { return n.Name == c.Name }) {
			done.Computers[c.Name] = true
		}
	}
	for _, s := range saved.Sessions {
		if touched.Sessions[s.ID] && !slices.ContainsFunc(now.Sessions, func(n plan.SessionChange) bool { return n.ID == s.ID }) {
			done.Sessions[s.ID] = true
		}
	}
	moves := plan.Stale(saved, now)
	if len(moves) == 1 && moves[0].Part == "facts" && len(touched.Computers)+len(touched.Sessions) > 0 && same(rest(saved, done), rest(now, Earlier{})) {
		moves = nil
	}
	return done, moves
}

// touchedBy is what applies of p began.
func touchedBy(p *plan.Plan, records []ledger.Record) Earlier {
	e := Earlier{Computers: map[string]bool{}, Sessions: map[string]bool{}}
	for i := range records {
		r := &records[i]
		if r.Kind != ledger.Intention || r.Plan != p.Digest {
			continue
		}
		if r.Computer != nil {
			e.Computers[r.Computer.Name] = true
		}
		if r.Session != nil {
			e.Sessions[r.Session.ID] = true
		}
	}
	return e
}

// confirmed are the limits of p that an apply of p got confirmed and that still are.
func confirmed(p *plan.Plan, records []ledger.Record) map[org.Email]bool {
	own, set := map[string]bool{}, map[org.Email]bool{}
	for i := range records {
		switch r := &records[i]; {
		case r.Kind == ledger.Intention && r.Plan == p.Digest:
			own[r.ID] = true
		case own[r.Of]:
			for _, email := range r.Set {
				set[email] = true
			}
		}
	}
	known := ledger.Fold(records, p.Target)
	done := map[org.Email]bool{}
	for _, c := range p.Limits {
		if k, _ := known.Limits.Of(c.Email); set[c.Email] && k.Grade == org.Confirmed {
			done[c.Email] = true
		}
	}
	return done
}

// rest is what p sends apart from the computers and sessions that are done.
func rest(p *plan.Plan, done Earlier) *plan.Plan {
	return &plan.Plan{
		Limits: p.Limits,
		Computers: slices.DeleteFunc(slices.Clone(p.Computers), func(c plan.ComputerChange) bool {
			return done.Computers[c.Name]
		}),
		Sessions: slices.DeleteFunc(slices.Clone(p.Sessions), func(s plan.SessionChange) bool {
			return done.Sessions[s.ID]
		}),
	}
}

// same compares plans as they would be stored.
func same(a, b *plan.Plan) bool {
	x, err1 := a.MarshalJSON()
	y, err2 := b.MarshalJSON()
	return err1 == nil && err2 == nil && bytes.Equal(x, y)
}
