package service

import (
	"errors"
	"math"
	"math/rand/v2"
	"sync/atomic"
)

// when says which of the events that a rule fits it strikes. Every rule counts them, from
// 1, and decides by that number alone: the same events meet the same faults again. The
// zero when strikes always.
type when struct {
	nth, every uint64
	p          float64 // 0: not by chance
	seed       uint64

	fitted atomic.Uint64 // events so far
}

// count counts an event that fits and tells whether the rule strikes it.
func (w *when) count() bool { return w.strikes(w.fitted.Add(1)) }

// strikes decides about the n-th event that fits. It is a pure function.
func (w *when) strikes(n uint64) bool {
	switch {
	case w.nth > 0:
		return n == w.nth
	case w.every > 0:
		return n%w.every == 0
	case w.p > 0:
		return rand.New(rand.NewPCG(w.seed, n)).Float64() < w.p
	}
	return true
}

// isWhen tells a condition from an effect.
func isWhen(name string) bool {
	return name == "nth" || name == "every" || name == "p" || name == "seed"
}

// setWhen reads one condition.
func (w *when) setWhen(name, value string) error {
	var err error
	n := 0
	switch name {
	case "nth":
		n, err = boundedInt(value, 1, math.MaxInt32)
		w.nth = uint64(n)
	case "every":
		n, err = boundedInt(value, 1, math.MaxInt32)
		w.every = uint64(n)
	case "seed":
		n, err = boundedInt(value, 0, math.MaxInt32)
		w.seed = uint64(n)
	case "p":
		w.p, err = properShare(value)
	}
	return err
}

// checkWhen looks for conditions that make no sense together.
func checkWhen(seen map[string]bool) []error {
	var errs []error
	kinds := 0
	for _, name := range []string{"nth", "every", "p"} {
		if seen[name] {
			kinds++
		}
	}
	if kinds > 1 {
		errs = append(errs, errors.New("nth, every and p exclude each other"))
	}
	if seen["seed"] && !seen["p"] {
		errs = append(errs, errors.New("seed needs p"))
	}
	return errs
}
