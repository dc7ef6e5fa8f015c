package ledger

import "github.com/govctl/govctl/internal/org"

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
//
// An import confirms what a person states, as if it had been asked and acknowledged at
// that moment; Stated says by whom.
func Fold(records []Record, target org.Target) org.Known {
	records = normal(records)
	k := fold(records, target)
	k.Position.Serial = int64(len(records))
	return k
}

// fold is Fold of records already normal.
func fold(records []Record, target org.Target) org.Known {
	return replay(records, func(t Target) bool { return t.is(target) }).known()
}

// replay goes through normal records of some targets.
func replay(records []Record, of func(Target) bool) *folder {
	entries, people := sizes(records)
	f := &folder{
		records:   records,
		byID:      map[string]*ask{},
		places:    make([]int32, 0, entries),
		people:    newIndex(people),
		states:    make([]state, 0, people),
		more:      map[int32][]int32{},
		computers: map[string]*machine{},
	}
	for i := range records {
		switch r := &records[i]; r.Kind {
		case Intention:
			if of(r.Target) {
				f.byID[r.ID] = f.intend(r)
			}
		case Import:
			if of(r.Target) {
				f.state(r, int32(i))
			}
		case Outcome:
			if a := f.byID[r.Of]; a != nil {
				f.settle(a, r, int32(i))
			}
		}
	}
	return f
}

// sizes counts the entries of records and guesses how many addresses they are about, to
// make room for them at once: one plan names an address once, so it is at least the
// entries of the largest plan.
func sizes(records []Record) (entries, people int) {
	plans := map[string]int{}
	for i := range records {
		if r := &records[i]; len(r.Limits) > 0 {
			entries += len(r.Limits)
			plans[r.Plan] += len(r.Limits)
			people = max(people, plans[r.Plan])
		}
	}
	return entries, people
}

// is reports whether records of t belong to target: by organization where both know it.
func (t Target) is(target org.Target) bool {
	if t.Organization != "" && target.Organization != "" {
		return t.Organization == target.Organization
	}
	return t.BaseURL == target.BaseURL
}

// folder is a fold under way. Asks are numbered from 1 in the order of intentions. What
// there is one of for each address has no pointers, so that the garbage collector need
// not look at millions of them.
type folder struct {
	records   []Record
	asks      []*ask          // by number, from 1
	byID      map[string]*ask // by the id of the intention
	places    []int32         // backs the states of asks
	people    index
	states    []state
	more      map[int32][]int32 // open asks of a state besides its own
	computers map[string]*machine
}

// ask is one intention, or an import.
type ask struct {
	number int32
	rec    *Record
	states []int32 // of rec.Limits
	index  map[org.Email]int
	next   int // where the next address of an outcome is expected
}

// state is what is known of one address. Records are named by their place, from 1; 0 is
// none.
type state struct {
	named, entry int32 // newest ask that names the address, and where in its limits
	open         int32 // an ask that is open; folder.more has the others, if there are any
	by, limit    int32 // ask that confirmed the value, and where in its limits
	answer       int32 // record that confirmed it
	effect       int32 // newest record that set the value or may have
	before       int32 // newest such record of another ask than effect's
}

// intend numbers a new ask and opens what it names.
func (f *folder) intend(r *Record) *ask {
	a := &ask{number: int32(len(f.asks) + 1), rec: r}
	f.asks = append(f.asks, a)
	if r.Computer != nil {
		f.machine(r.Computer.Name).open.add(a.number)
	}
	from := len(f.places)
	s := int32(-1)
	for i := range r.Limits {
		s = f.find(r.Limits[i].Email, s+1) // mostly in the order of the plan before
		f.states[s].named, f.states[s].entry = a.number, int32(i)
		f.places = append(f.places, s)
		f.open(s, a.number)
	}
	a.states = f.places[from:]
	return a
}

// find gives the state of email, which may be new. It tries the one at guess first.
func (f *folder) find(email org.Email, guess int32) int32 {
	if int(guess) < len(f.states) && f.email(guess) == email {
		return guess
	}
	s, found := f.people.find(email, f.email)
	if !found {
		f.states = append(f.states, state{})
	}
	return s
}

// email is whom a state is about.
func (f *folder) email(s int32) org.Email {
	return f.asks[f.states[s].named-1].rec.Limits[f.states[s].entry].Email
}

// state takes in an import: an ask and its answer at the same moment.
func (f *folder) state(r *Record, place int32) {
	a := f.intend(r)
	for i, s := range a.states {
		f.confirm(s, a, i, place)
	}
}

// settle takes in the answer to a.
func (f *folder) settle(a *ask, r *Record, place int32) {
	for _, email := range r.Set {
		if i, ok := a.find(email); ok {
			f.confirm(a.states[i], a, i, place)
		}
	}
	for i := range r.Refused {
		if i, ok := a.find(r.Refused[i].Email); ok {
			f.drop(a.states[i], a.number)
		}
	}
	for _, email := range r.NotSent {
		if i, ok := a.find(email); ok {
			f.drop(a.states[i], a.number)
		}
	}
	for _, email := range r.Unknown {
		if i, ok := a.find(email); ok {
			f.doubt(a.states[i], a, place)
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

// confirm notes that the value of entry i of a was acknowledged.
func (f *folder) confirm(s int32, a *ask, i int, place int32) {
	x := &f.states[s]
	if x.by == a.number {
		return
	}
	if x.by > a.number || f.overlaps(x, a) || !f.isOpen(s, a.number) {
		f.doubt(s, a, place)
		return
	}
	x.by, x.limit, x.answer = a.number, int32(i), place+1
	f.dropUpTo(s, a.number)
	f.affect(x, place)
}

// doubt notes that a may have been carried out, and perhaps not last.
func (f *folder) doubt(s int32, a *ask, place int32) {
	f.open(s, a.number)
	f.affect(&f.states[s], place)
}

func (f *folder) affect(x *state, place int32) {
	if x.effect != 0 && f.records[x.effect-1].ask() != f.records[place].ask() {
		x.before = x.effect
	}
	x.effect = place + 1
}

// ask is the id of the intention that r answers; an import answers itself.
func (r *Record) ask() string {
	if r.Kind == Import {
		return r.ID
	}
	return r.Of
}

// overlaps reports whether another ask may have been carried out after a was begun.
func (f *folder) overlaps(x *state, a *ask) bool {
	other := x.effect
	if other != 0 && f.records[other-1].ask() == a.rec.ID {
		other = x.before
	}
	return other != 0 && !f.records[other-1].At.Before(a.rec.At)
}

func (f *folder) known() org.Known {
	k := org.Known{Computers: make(map[string]org.KnownComputer, len(f.computers))}
	n := 0
	for i := range f.states {
		s := &f.states[i]
		if s.open != 0 || s.by != 0 {
			n++
		}
		if s.open != 0 || s.by == 0 {
			continue
		}
		if by := f.records[s.answer-1].Import; by != nil {
			if k.Stated == nil {
				k.Stated = map[org.Email]string{}
			}
			k.Stated[f.email(int32(i))] = by.By
		}
	}
	k.Limits = org.NewKnownLimits(n, f.knownLimit, f.knownLimits)
	for name, m := range f.computers {
		if m.id != "" || !m.open.empty() {
			k.Computers[name] = org.KnownComputer{ID: m.id, Unknown: !m.open.empty()}
		}
	}
	return k
}

// knownLimit is what is known of one address.
func (f *folder) knownLimit(email org.Email) (org.KnownLimit, bool) {
	if s, found := f.people.number(email, f.email); found {
		return f.limit(s)
	}
	return org.KnownLimit{}, false
}

// knownLimits yields what is known, in the order in which addresses were first asked for.
func (f *folder) knownLimits(yield func(org.Email, org.KnownLimit) bool) {
	for i := range f.states {
		if k, ok := f.limit(int32(i)); ok && !yield(f.email(int32(i)), k) {
			return
		}
	}
}

// limit is what is known of the address of a state, false if it was never set.
func (f *folder) limit(i int32) (org.KnownLimit, bool) {
	switch s := &f.states[i]; {
	case s.open != 0:
		return org.KnownLimit{Grade: org.Unknown}, true
	case s.by != 0:
		limit := &f.asks[s.by-1].rec.Limits[s.limit]
		return org.KnownLimit{
			Grade: org.Confirmed, Credits: limit.Credits, At: f.records[s.answer-1].At, UserID: limit.UserID,
		}, true
	}
	return org.KnownLimit{}, false
}
