package ledger

import (
	"slices"

	"github.com/govctl/govctl/internal/org"
)

// Fold turns the records that belong to target into knowledge about it. Order and
// repetition of records do not matter. An address without an entry in Limits was never
// set; Position has no lineage, because records do not carry it.
//
// An intention opens its addresses: what the service holds is unknown. An outcome
// settles them one by one. Set confirms the value and settles all earlier asks of that
// address; refused and not sent settle their own ask only, so that the value before is
// back if no other ask is open; unknown settles nothing. Two asks of one address that
// were under way at the same time leave it unknown unless one was refused, whatever the
// order of their answers: nobody knows which came last. It is assumed that a request which was
// never answered is not carried out after a later one was (T55: one sender at a time).
func Fold(records []Record, target org.Target) org.Known {
	records = normal(records)
	k := fold(records, target)
	k.Position.Serial = int64(len(records))
	return k
}

// fold is Fold of records already normal.
func fold(records []Record, target org.Target) org.Known {
	n := people(records)
	f := folder{
		asks:      map[string]*ask{},
		people:    make(map[org.Email]int32, n),
		states:    make([]state, 0, n),
		computers: map[string]*machine{},
	}
	for i := range records {
		switch r := &records[i]; r.Kind {
		case Intention:
			if r.Target.is(target) {
				f.intend(r)
			}
		case Outcome:
			if a := f.asks[r.Of]; a != nil {
				f.settle(a, r)
			}
		}
	}
	return f.known()
}

// people guesses how many addresses records are about, to make room for them at once:
// one plan names an address once, so it is at least the entries of the largest plan.
func people(records []Record) int {
	largest, entries := 0, map[string]int{}
	for i := range records {
		if r := &records[i]; r.Kind == Intention {
			entries[r.Plan] += len(r.Limits)
			largest = max(largest, entries[r.Plan])
		}
	}
	return largest
}

// is reports whether records of t belong to target: by organization where both know it.
func (t Target) is(target org.Target) bool {
	if t.Organization != "" && target.Organization != "" {
		return t.Organization == target.Organization
	}
	return t.BaseURL == target.BaseURL
}

// folder is a fold under way. Asks are numbered from 1 in the order of intentions.
type folder struct {
	asks      map[string]*ask // by the id of the intention
	people    map[org.Email]int32
	states    []state // of people
	computers map[string]*machine
}

// ask is one intention.
type ask struct {
	number int32
	rec    *Record
	states []int32 // of rec.Limits
	index  map[org.Email]int
	next   int // where the next address of an outcome is expected
}

// state is what is known of one address.
type state struct {
	email  org.Email
	open   asks
	by     int32   // ask that confirmed it, 0 for none
	limit  *Limit  // as confirmed
	answer *Record // that confirmed it
	effect *Record // newest outcome that set the value or may have
	before *Record // newest such outcome of another ask than effect's
}

// asks is a set of ask numbers, nearly always of none or one.
type asks struct {
	one  int32
	more []int32
}

func (s *asks) add(n int32) {
	if s.one == 0 || s.one == n {
		s.one = n
	} else if !slices.Contains(s.more, n) {
		s.more = append(s.more, n)
	}
}

func (s *asks) has(n int32) bool { return s.one == n || slices.Contains(s.more, n) }

func (s *asks) empty() bool { return s.one == 0 }

// drop removes the asks that done reports.
func (s *asks) drop(done func(n int32) bool) {
	s.more = slices.DeleteFunc(s.more, done)
	if s.one == 0 || !done(s.one) {
		return
	}
	s.one = 0
	if n := len(s.more); n > 0 {
		s.one, s.more = s.more[n-1], s.more[:n-1]
	}
}

func (f *folder) intend(r *Record) {
	a := &ask{number: int32(len(f.asks) + 1), rec: r}
	f.asks[r.ID] = a
	if r.Computer != nil {
		f.machine(r.Computer.Name).open.add(a.number)
	}
	if len(r.Limits) == 0 {
		return
	}
	a.states = make([]int32, len(r.Limits))
	for i := range r.Limits {
		email := r.Limits[i].Email
		s, ok := f.people[email]
		if !ok {
			s = int32(len(f.states))
			f.people[email] = s
			f.states = append(f.states, state{})
		}
		a.states[i] = s
		f.states[s].email = email
		f.states[s].open.add(a.number)
	}
}

func (f *folder) settle(a *ask, r *Record) {
	own := func(n int32) bool { return n == a.number }
	for _, email := range r.Set {
		if i, ok := a.find(email); ok {
			f.states[a.states[i]].confirm(a, i, r)
		}
	}
	for i := range r.Refused {
		if i, ok := a.find(r.Refused[i].Email); ok {
			f.states[a.states[i]].open.drop(own)
		}
	}
	for _, email := range r.NotSent {
		if i, ok := a.find(email); ok {
			f.states[a.states[i]].open.drop(own)
		}
	}
	for _, email := range r.Unknown {
		if i, ok := a.find(email); ok {
			f.states[a.states[i]].doubt(a, r)
		}
	}
	if r.Computer != nil && a.rec.Computer != nil {
		f.machine(a.rec.Computer.Name).settle(a, r.Computer)
	}
}

// find gives the place of email in the intention. Outcomes mostly name addresses in the
// order of their intention, so the next one is tried first.
func (a *ask) find(email org.Email) (int, bool) {
	limits := a.rec.Limits
	if a.next < len(limits) && limits[a.next].Email == email {
		a.next++
		return a.next - 1, true
	}
	if a.index == nil {
		a.index = make(map[org.Email]int, len(limits))
		for i := range limits {
			a.index[limits[i].Email] = i
		}
	}
	i, ok := a.index[email]
	if ok {
		a.next = i + 1
	}
	return i, ok
}

// confirm notes that the service acknowledged entry i of a.
func (s *state) confirm(a *ask, i int, r *Record) {
	if s.by == a.number {
		return
	}
	if s.by > a.number || s.overlaps(a) || !s.open.has(a.number) {
		s.doubt(a, r)
		return
	}
	s.by, s.limit, s.answer = a.number, &a.rec.Limits[i], r
	s.open.drop(func(n int32) bool { return n <= a.number })
	s.affect(r)
}

// doubt notes that a may have been carried out, and perhaps not last.
func (s *state) doubt(a *ask, r *Record) {
	s.open.add(a.number)
	s.affect(r)
}

func (s *state) affect(r *Record) {
	if s.effect != nil && s.effect.Of != r.Of {
		s.before = s.effect
	}
	s.effect = r
}

// overlaps reports whether another ask may have been carried out after a was begun.
func (s *state) overlaps(a *ask) bool {
	other := s.effect
	if other != nil && other.Of == a.rec.ID {
		other = s.before
	}
	return other != nil && !other.At.Before(a.rec.At)
}

func (f *folder) known() org.Known {
	k := org.Known{
		Limits:    make(map[org.Email]org.KnownLimit, len(f.states)),
		Computers: make(map[string]org.KnownComputer, len(f.computers)),
	}
	for i := range f.states {
		s := &f.states[i]
		switch {
		case !s.open.empty():
			k.Limits[s.email] = org.KnownLimit{Grade: org.Unknown}
		case s.by != 0:
			k.Limits[s.email] = org.KnownLimit{
				Grade: org.Confirmed, Credits: s.limit.Credits, At: s.answer.At, UserID: s.limit.UserID,
			}
		}
	}
	for name, m := range f.computers {
		if m.id != "" || !m.open.empty() {
			k.Computers[name] = org.KnownComputer{ID: m.id, Unknown: !m.open.empty()}
		}
	}
	return k
}
