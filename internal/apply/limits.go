package apply

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/ledger"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
)

// sent is a batch that is over with.
type sent struct {
	batch
	verdict
	called bool  // the request was made
	err    error // of the request
	record error // of the ledger
}

// limits sends the limits, several batches at a time as soon as the service has
// confirmed something. A batch that failed stops those not yet sent; those under way are
// finished and recorded.
func (x *run) limits() {
	q := newQueue(x.unset(), x.options)
	answers := make(chan sent)
	var senders sync.WaitGroup
	var over []sent
	first := -1 // place of the batch that is the reason to stop
	for under := 0; ; under-- {
		for ; under < q.width() && len(q.waiting) > 0 && x.going(); under++ {
			b := q.next()
			senders.Go(func() { answers <- x.putLimits(b) })
		}
		if under == 0 {
			break
		}
		s := <-answers
		if neverLeft(s.err) {
			x.going() // ctx is why
		}
		halved, stop := false, error(nil)
		if s.called {
			halved, stop = q.learn(s.batch, s.verdict, s.err)
		}
		if stop != nil && s.at < first && !errors.Is(x.stopped, ErrLedger) {
			x.stopped = nil // whoever answers first, the reason is the first in the plan
		}
		if x.stopped == nil && stop != nil {
			first = s.at
		}
		x.stop(stop)
		x.stop(s.record)
		if !halved {
			over = append(over, s)
			x.settle(len(s.limits) - len(s.notSent))
		}
	}
	senders.Wait()
	for _, b := range q.waiting {
		s := sent{batch: b, verdict: b.unsent()}
		over = append(over, s)
		x.settle(len(s.refused))
	}
	x.book(over)
}

// unset are the planned limits that no earlier apply of the plan got confirmed.
func (x *run) unset() []plan.LimitChange {
	done := x.options.Earlier.Limits
	if len(done) == 0 {
		return x.plan.Limits
	}
	return slices.DeleteFunc(slices.Clone(x.plan.Limits), func(c plan.LimitChange) bool { return done[c.Email] })
}

// putLimits sends one batch and records what became of it. It runs beside others.
func (x *run) putLimits(b batch) sent {
	s := sent{batch: b}
	intent := ledger.Record{Limits: make([]ledger.Limit, len(b.limits))}
	body := make([]api.Limit, len(b.limits))
	for i, c := range b.limits {
		body[i] = api.Limit{Email: c.SendAs, Limit: c.After}
		intent.Limits[i] = ledger.Limit{Email: c.Email, Credits: c.After, UserID: c.UserID}
		if c.SendAs != string(c.Email) {
			intent.Limits[i].SendAs = c.SendAs
		}
	}
	s.called, s.record = x.step(intent, func(ctx context.Context) ledger.Record {
		var answer api.LimitsResult
		answer, s.err = x.writer.PutLimits(ctx, body)
		s.verdict = decide(b.limits, answer, s.err)
		return s.outcome(requestID(s.err))
	})
	if !s.called {
		s.verdict = b.unsent()
	}
	return s
}

// decide is judge with the error of the request. An answer beside an error is that of the
// last attempt, and an earlier one may have been carried out: what the answer confirms is
// set, whichever attempt comes last, and what it refuses may be set nevertheless.
func decide(limits []plan.LimitChange, answer api.LimitsResult, err error) verdict {
	answered := len(answer.Updated)+len(answer.Errors) > 0
	switch {
	case err == nil:
		return judge(limits, answer)
	case answered && !definite(err):
		v := judge(limits, answer)
		for _, o := range v.refused {
			o.Error = "refused after an attempt that was not answered: " + o.Error
			v.unknown = append(v.unknown, o)
		}
		slices.SortFunc(v.unknown, func(a, b LimitOutcome) int { return strings.Compare(a.Email, b.Email) })
		v.refused = nil
		return v
	case neverLeft(err):
		return verdict{notSent: all(limits, "")}
	case definite(err):
		return verdict{refused: all(limits, err.Error())}
	}
	return verdict{unknown: all(limits, err.Error())}
}

// unsent is what became of a batch that stayed behind. Half of a refused batch was
// refused with it.
func (b batch) unsent() verdict {
	if b.whole != nil {
		return verdict{refused: all(b.limits, b.whole.Error())}
	}
	return verdict{notSent: all(b.limits, "")}
}

// outcome is the record of a verdict.
func (v verdict) outcome(requestID string) ledger.Record {
	r := ledger.Record{Set: emails(v.set), Unknown: emails(v.unknown), NotSent: emails(v.notSent), RequestID: requestID}
	for _, o := range v.refused {
		r.Refused = append(r.Refused, ledger.Refused{Email: org.Email(o.Email), Error: o.Error})
	}
	return r
}

func emails(list []LimitOutcome) []org.Email {
	var out []org.Email
	for _, o := range list {
		out = append(out, org.Email(o.Email))
	}
	return out
}

// book enters batches into the report in the order of the plan, and among them what was
// set earlier.
func (x *run) book(over []sent) {
	slices.SortFunc(over, func(a, b sent) int { return cmp.Compare(a.at, b.at) })
	l := &x.report.Limits
	set := 0
	for _, s := range over {
		set += len(s.set)
	}
	l.Set = slices.Grow(l.Set, set)
	for _, s := range over {
		l.Set = append(l.Set, s.set...)
		l.Refused = append(l.Refused, s.refused...)
		l.Unknown = append(l.Unknown, s.unknown...)
		l.NotAttempted = append(l.NotAttempted, s.notSent...)
		x.report.Warnings = append(x.report.Warnings, s.warnings...)
	}
	if len(x.options.Earlier.Limits) == 0 {
		return
	}
	for _, c := range x.plan.Limits {
		if x.options.Earlier.Limits[c.Email] {
			l.Set = append(l.Set, LimitOutcome{Email: string(c.Email), Limit: c.After, Earlier: true})
		}
	}
	slices.SortFunc(l.Set, func(a, b LimitOutcome) int { return strings.Compare(a.Email, b.Email) })
}
