// Package apply carries out a Plan and records each step.
//
// Every request is framed by two durable ledger records: the intention before it and
// the outcome after it. Whatever happens between them, the ledger never claims more
// than the service acknowledged, so the next plan asks again exactly for what is not
// known. Computers come before limits because a limit batch can be repeated and a
// create cannot.
//
// Batches of limits may be under way together, because they share no address. One
// goroutine decides what is sent next and keeps all the books; the others only send and
// record, so the order of answers changes nothing but when apply stops.
package apply

import (
	"context"
	"errors"
	"fmt"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/ledger"
	"github.com/govctl/govctl/internal/plan"
)

// Recorder keeps a record durably before it returns.
type Recorder interface {
	Append(ctx context.Context, r ledger.Record) (ledger.Record, error)
}

// LimitWriter sets up to api.MaxLimits limits in one request. An answer that comes with an
// ambiguous error is that of a last attempt after one that was not answered; with any
// other error the answer is empty.
type LimitWriter interface {
	PutLimits(ctx context.Context, limits []api.Limit) (api.LimitsResult, error)
}

// ComputerWriter creates and changes computers, and reads a created one back.
type ComputerWriter interface {
	ComputerByName(ctx context.Context, name string) (api.Computer, error)
	CreateComputer(ctx context.Context, c api.NewComputer) (api.Computer, error)
	UpdateComputer(ctx context.Context, id string, p api.ComputerPatch) (api.Computer, error)
	InstallDeps(ctx context.Context, id string) (api.Computer, error)
}

// SessionWriter reads and changes one session. Not found is an *api.Error with status 404.
type SessionWriter interface {
	Session(ctx context.Context, id string) (api.Session, error)
	UpdateSession(ctx context.Context, id string, u api.SessionUpdate) (api.Session, error)
}

// Writer is all that apply needs of the service.
type Writer interface {
	LimitWriter
	ComputerWriter
	SessionWriter
}

// Options are the choices of Run. The zero Options send one batch after the other and
// stop at the first that fails as a whole.
type Options struct {
	Parallel  int      // batches under way together once one was confirmed; 0 is 1
	Canary    int      // size of a first batch that must be confirmed entirely; 0 for none
	MaxErrors *float64 // share of the limits asked for that may stay unconfirmed; nil: any
	Bisect    bool     // halve a batch that is refused as malformed, to find the entries
	Earlier   Earlier  // what is done already
	Progress  Progress // may be nil
}

// Progress is told after each request how many of the planned entries are settled.
type Progress func(settled, total int)

// ErrLedger means that the ledger could not be written, so nothing more may be sent.
var ErrLedger = errors.New("the ledger could not be written")

// ErrCaution means that the service works and Options forbid going on.
var ErrCaution = errors.New("stopped as a precaution")

// Run carries out p and accounts for every entry of it. It stops sending when a whole
// batch fails, when Options or the ledger forbid more, or when ctx ends; requests in
// flight are always finished and recorded first. The error is the reason it stopped, nil
// when everything was sent; the report is complete either way.
func Run(ctx context.Context, w Writer, r Recorder, p *plan.Plan, o Options) (*Report, error) {
	x := &run{ctx: ctx, writer: w, ledger: r, plan: p, options: o, report: NewReport(p.Digest)}
	x.total = p.Changes() - o.Earlier.count(p)
	x.computers()
	x.limits()
	x.sessions()
	x.report.conclude(x.interrupted)
	if x.stopped != nil {
		x.report.Reason = x.stopped.Error()
	}
	return x.report, x.stopped
}

// run is one apply under way. Only the goroutine of Run changes it.
type run struct {
	ctx     context.Context
	writer  Writer
	ledger  Recorder
	plan    *plan.Plan
	options Options
	report  *Report
	total   int   // planned entries that are not done already
	settled int   // of them
	stopped error // why nothing more is sent; nil while going on

	interrupted bool // stopped is ctx's doing
}

// going reports whether another request may be sent.
func (x *run) going() bool {
	if x.stopped == nil && x.ctx.Err() != nil {
		x.stopped = fmt.Errorf("before the next request: %w", x.ctx.Err())
		x.interrupted = true
	}
	return x.stopped == nil
}

// step frames one request by its two records. send returns the outcome to record. None
// of the three is cancelled by ctx, because an answer that nobody waits for is an
// outcome that nobody knows. step reports whether send was called; its error is always
// an ErrLedger. Several may be under way.
func (x *run) step(intent ledger.Record, send func(context.Context) ledger.Record) (called bool, err error) {
	intent.Kind = ledger.Intention
	intent.Target = ledger.TargetOf(x.plan.Target)
	intent.Plan = x.plan.Digest
	whole := context.WithoutCancel(x.ctx)
	kept, err := x.ledger.Append(whole, intent)
	if err != nil {
		return false, fmt.Errorf("%w before a request: %w", ErrLedger, err)
	}
	outcome := send(whole)
	outcome.Kind, outcome.Of = ledger.Outcome, kept.ID
	if _, err := x.ledger.Append(whole, outcome); err != nil {
		return true, fmt.Errorf("%w after a request: %w", ErrLedger, err)
	}
	return true, nil
}

// stop ends sending for the first reason given; nil is none. A ledger that cannot be
// written is worse than any reason before it.
func (x *run) stop(err error) {
	switch {
	case err == nil:
	case x.stopped == nil:
		x.stopped = err
	case errors.Is(err, ErrLedger) && !errors.Is(x.stopped, ErrLedger):
		x.stopped = fmt.Errorf("%w; before that: %w", err, x.stopped)
	}
}

// settle counts entries whose result is known or known to be unknown.
func (x *run) settle(n int) {
	x.settled += n
	if x.options.Progress != nil && n > 0 {
		x.options.Progress(x.settled, x.total)
	}
}

// settleObject decides what became of one computer or session, and whether the rest may
// still be sent.
func (x *run) settleObject(o *ObjectOutcome, err error) {
	switch {
	case err == nil:
		o.Result = Done
	case neverLeft(err):
		o.Error = err.Error()
		x.going() // ctx is why
		return
	case definite(err):
		o.Result, o.Error = Failed, err.Error()
	default:
		o.Result, o.Error = Unknown, err.Error()
	}
	if fatal(err) {
		x.stop(err)
	}
	x.settle(1)
}

// fatal reports whether every further request would fail the same way. A 403 is about
// one object or one permission: who may not change computers may still set limits.
func fatal(err error) bool {
	var e *api.Error
	return errors.As(err, &e) && (e.Status == 401 || e.Status == 0)
}

// neverLeft reports whether a request was given up for good because the run was to end,
// and certainly not carried out.
func neverLeft(err error) bool {
	return errors.Is(err, context.Canceled) && definite(err)
}

// recorded is a result as the ledger spells it.
func recorded(result string) ledger.Result {
	if result == NotAttempted {
		return ledger.NotSent
	}
	return ledger.Result(result)
}

// errUnsent means that a change was not sent at all.
var errUnsent = errors.New("nothing was sent")

// errUnread means that a change was acknowledged and could not be read back.
var errUnread = errors.New("it could not be read back")

// definite reports whether err means that the service certainly did not act.
func definite(err error) bool {
	var e *api.Error
	switch {
	case errors.Is(err, errUnsent):
		return true
	case errors.Is(err, errUnread):
		return false
	}
	return errors.As(err, &e) && !e.Ambiguous
}

// requestID is the service's name for the request behind err, "" if it gave none.
func requestID(err error) string {
	var e *api.Error
	if errors.As(err, &e) {
		return e.RequestID
	}
	return ""
}
