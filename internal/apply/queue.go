package apply

import (
	"errors"
	"fmt"
	"slices"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/plan"
)

// maxHalves is how many requests one apply spends on halves of refused batches. Finding
// one malformed entry in a batch of 100 takes 14; a service that refuses everything must
// not be asked twice for each entry.
const maxHalves = 256

// batch is a run of limits to be sent in one request.
type batch struct {
	at     int // place of the first one among all that are to be sent
	limits []plan.LimitChange
	canary bool
	whole  error // how the batch that this is a half of was refused; nil for no half
}

// queue decides what is sent next and when to stop. It knows nothing of time, and an
// answer is all it learns from.
type queue struct {
	options Options
	waiting []batch // next first
	proven  bool    // the service has confirmed something
	halves  int     // requests spent on halves
	asked   int     // limits with an answer
	bad     int     // those not confirmed
}

// newQueue cuts limits, which are sorted and unique, into batches of at most
// api.MaxLimits; they share no address.
func newQueue(limits []plan.LimitChange, o Options) *queue {
	q := &queue{options: o}
	n := min(o.Canary, api.MaxLimits, len(limits))
	if n > 0 {
		q.waiting = append(q.waiting, batch{limits: limits[:n], canary: true})
	}
	for chunk := range slices.Chunk(limits[n:], api.MaxLimits) {
		q.waiting = append(q.waiting, batch{at: n, limits: chunk})
		n += len(chunk)
	}
	return q
}

// width is how many batches may be under way together: one until the service has
// confirmed something.
func (q *queue) width() int {
	if !q.proven {
		return 1
	}
	return max(1, q.options.Parallel)
}

// next takes the batch to be sent now; there must be one waiting.
func (q *queue) next() batch {
	b := q.waiting[0]
	q.waiting = q.waiting[1:]
	if b.whole != nil {
		q.halves++
	}
	return b
}

// learn takes in how b ended: err if the request failed as a whole, v in any case. It
// reports whether b is sent again in halves, and why nothing more must be sent.
func (q *queue) learn(b batch, v verdict, err error) (halved bool, stop error) {
	seeking := q.options.Bisect && !b.canary && malformed(err)
	switch {
	case seeking && len(b.limits) > 1:
		if q.halves+q.halvesWaiting()+2 > maxHalves {
			return false, fmt.Errorf("%w: %d requests went into finding malformed entries: %w", ErrCaution, q.halves, err)
		}
		q.split(b, err)
		return true, nil
	case err != nil && !seeking:
		stop = err
	}
	q.proven = q.proven || len(v.set) > 0
	q.asked += len(b.limits) - len(v.notSent)
	q.bad += len(v.refused) + len(v.unknown)
	return false, errors.Join(stop, q.caution(b, v, stop))
}

// caution is why Options forbid to go on after an answer, nil if they do not or if the
// request failed anyway.
func (q *queue) caution(b batch, v verdict, failed error) error {
	limit := q.options.MaxErrors
	switch {
	case failed != nil:
		return nil
	case b.canary && len(v.set) < len(b.limits):
		return fmt.Errorf("%w: the canary is not entirely confirmed", ErrCaution)
	case limit != nil && float64(q.bad) > *limit*float64(q.asked):
		return fmt.Errorf("%w: more than %.4g%% of the limits asked for are not confirmed", ErrCaution, *limit*100)
	}
	return nil
}

// split puts the halves of b first.
func (q *queue) split(b batch, err error) {
	n := len(b.limits) / 2
	q.waiting = slices.Insert(q.waiting, 0,
		batch{at: b.at, limits: b.limits[:n], whole: err},
		batch{at: b.at + n, limits: b.limits[n:], whole: err})
}

func (q *queue) halvesWaiting() int {
	n := 0
	for n < len(q.waiting) && q.waiting[n].whole != nil { // halves come first
		n++
	}
	return n
}

// malformed reports whether the service read a request, found it wrong and did nothing
// (U61). A single bad entry is enough for that.
func malformed(err error) bool {
	var e *api.Error
	return errors.As(err, &e) && e.Status == 400 && !e.Ambiguous
}
