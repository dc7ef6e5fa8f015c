package org

import "iter"

// KnownLimits is what is known of the limits of one target, by address. The zero
// KnownLimits is empty. It never changes.
//
// It is not a map because whoever remembers a million addresses has found them all in a
// table of its own already, and a map of them takes as long to make as all the rest.
type KnownLimits struct {
	n    int
	find func(Email) (KnownLimit, bool)
	all  iter.Seq2[Email, KnownLimit]
}

// NewKnownLimits makes KnownLimits of n addresses. Find may be called at the same time
// from many goroutines; all gives every address once.
func NewKnownLimits(n int, find func(Email) (KnownLimit, bool), all iter.Seq2[Email, KnownLimit]) KnownLimits {
	return KnownLimits{n, find, all}
}

// LimitsOf makes KnownLimits of a map, which nobody may change after.
func LimitsOf(m map[Email]KnownLimit) KnownLimits {
	return KnownLimits{
		n:    len(m),
		find: func(e Email) (KnownLimit, bool) { k, ok := m[e]; return k, ok },
		all: func(yield func(Email, KnownLimit) bool) {
			for e, k := range m {
				if !yield(e, k) {
					return
				}
			}
		},
	}
}

// Len is the number of addresses.
func (k KnownLimits) Len() int { return k.n }

// Of is what is known of an address, and whether anything is. An address that was never
// set has the zero KnownLimit.
func (k KnownLimits) Of(email Email) (KnownLimit, bool) {
	if k.find == nil {
		return KnownLimit{}, false
	}
	return k.find(email)
}

// All goes through the addresses in no order that means anything.
func (k KnownLimits) All() iter.Seq2[Email, KnownLimit] {
	if k.all == nil {
		return func(func(Email, KnownLimit) bool) {}
	}
	return k.all
}

// Equal reports whether both know the same.
func (k KnownLimits) Equal(other KnownLimits) bool {
	if k.n != other.n {
		return false
	}
	for e, v := range k.All() {
		w, ok := other.Of(e)
		if !ok || v.Grade != w.Grade || v.Credits != w.Credits || v.UserID != w.UserID || !v.At.Equal(w.At) {
			return false
		}
	}
	return true
}
