package ledger

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
