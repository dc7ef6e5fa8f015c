package ledger

import "slices"

// open adds an ask to those of a state.
func (f *folder) open(s, n int32) {
	if x := &f.states[s]; x.open == 0 || x.open == n {
		x.open = n
	} else if !slices.Contains(f.more[s], n) {
		f.more[s] = append(f.more[s], n)
	}
}

func (f *folder) isOpen(s, n int32) bool {
	return f.states[s].open == n || len(f.more) > 0 && slices.Contains(f.more[s], n)
}

// drop takes an ask off those of a state.
func (f *folder) drop(s, n int32) {
	f.dropWhere(s, func(m int32) bool { return m == n })
}

// dropUpTo takes an ask and every earlier one off those of a state.
func (f *folder) dropUpTo(s, n int32) {
	f.dropWhere(s, func(m int32) bool { return m <= n })
}

func (f *folder) dropWhere(s int32, done func(n int32) bool) {
	var rest []int32
	if len(f.more) > 0 {
		if rest = slices.DeleteFunc(f.more[s], done); len(rest) > 0 {
			f.more[s] = rest
		} else {
			delete(f.more, s)
		}
	}
	x := &f.states[s]
	if x.open == 0 || !done(x.open) {
		return
	}
	x.open = 0
	if n := len(rest); n > 0 {
		x.open = rest[n-1]
		if f.more[s] = rest[:n-1]; n == 1 {
			delete(f.more, s)
		}
	}
}
