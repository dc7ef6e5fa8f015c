package ledger

import "slices"

// machine is what is known of one computer.
type machine struct {
	id   string
	by   int32 // newest ask known to be done
	open asks
}

func (f *folder) machine(name string) *machine {
	m := f.computers[name]
	if m == nil {
		m = &machine{}
		f.computers[name] = m
	}
	return m
}

func (m *machine) settle(a *ask, o *Object) {
	switch o.Result {
	case Done:
		if a.number >= m.by {
			m.by = a.number
			for _, id := range []string{a.rec.Computer.ID, o.ID} {
				if id != "" {
					m.id = id
				}
			}
		}
		m.open.drop(func(n int32) bool { return n <= a.number })
	case Failed, NotSent:
		m.open.drop(func(n int32) bool { return n == a.number })
	}
}

// asks is a set of ask numbers, nearly always of none or one.
type asks []int32

func (s *asks) add(n int32) {
	if !slices.Contains(*s, n) {
		*s = append(*s, n)
	}
}

func (s asks) empty() bool { return len(s) == 0 }

// drop removes the asks that done reports.
func (s *asks) drop(done func(n int32) bool) { *s = slices.DeleteFunc(*s, done) }
