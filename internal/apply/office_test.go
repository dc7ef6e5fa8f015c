package apply

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/ledger"
	"github.com/govctl/govctl/internal/org"
)

// office is a service that really has limits, and a ledger, both asked by many at once.
// What goes wrong is fixed by address beforehand, so that it does not depend on who
// comes first. It writes down every breach of the rules it sees.
type office struct {
	malformed map[org.Email]bool          // one of them makes a whole request a 400
	moods     map[org.Email]mood          // what the answer says of one entry
	faults    map[org.Email]fault         // of the first request that begins with this address
	latency   map[org.Email]time.Duration // of requests that begin with this address
	failAt    int                         // Append fails from this call on, counted from 1
	onRequest func(n int)                 // called during request n, counted from 1

	mu        sync.Mutex
	has       map[org.Email]int64
	confirmed map[org.Email]int64 // as the service said
	asked     map[org.Email]bool
	records   []ledger.Record
	open      map[string][]ledger.Limit // intentions without an outcome
	requests  int
	under     int
	most      int    // requests under way together
	proven    bool   // something was confirmed to whoever asks
	wrong     string // the first breach
}

// mood is how an answer treats one entry.
type mood int

const (
	honest  mood = iota
	refuses      // among the errors, and not set
	clamps       // set to another value, and says so
	silent       // set, and not mentioned
	torn         // set, and in both lists
	renames      // set, and spelled otherwise
)

func newOffice() *office {
	return &office{has: map[org.Email]int64{}, confirmed: map[org.Email]int64{}, asked: map[org.Email]bool{}, open: map[string][]ledger.Limit{}, faults: map[org.Email]fault{}}
}

func (o *office) breach(format string, args ...any) {
	if o.wrong == "" {
		o.wrong = fmt.Sprintf(format, args...)
	}
}

func (o *office) Append(ctx context.Context, r ledger.Record) (ledger.Record, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if ctx.Err() != nil {
		o.breach("a record is cancelled")
	}
	n := len(o.records) + 1
	if o.failAt > 0 && n >= o.failAt {
		return r, fmt.Errorf("disk full")
	}
	r.ID, r.At = fmt.Sprint("r", n), time.Unix(int64(n), 0).UTC()
	if r.Kind == ledger.Intention {
		o.open[r.ID] = r.Limits
	} else {
		if _, ok := o.open[r.Of]; !ok {
			o.breach("%s is the outcome of nothing", r.ID)
		}
		delete(o.open, r.Of)
	}
	o.records = append(o.records, r)
	return r, nil
}

func (o *office) PutLimits(ctx context.Context, limits []api.Limit) (api.LimitsResult, error) {
	first := org.Fold(limits[0].Email)
	f := o.enter(first, limits)
	time.Sleep(o.latency[first])
	o.mu.Lock()
	defer o.mu.Unlock()
	o.under--
	if ctx.Err() != nil {
		o.breach("a request is cancelled")
	}
	if f == fine && slices.ContainsFunc(limits, func(l api.Limit) bool { return o.malformed[org.Fold(l.Email)] }) {
		f = refused
	}
	if err := f.err(); err != nil && !f.happens() {
		return api.LimitsResult{}, err
	}
	var r api.LimitsResult
	for _, l := range limits {
		o.serve(&r, l)
	}
	if f == lying || f.err() != nil {
		r = api.LimitsResult{}
	}
	if f == fine {
		for _, l := range r.Updated {
			o.confirmed[org.Fold(l.Email)] = l.Limit
			o.proven = true
		}
	}
	return r, f.err()
}

// enter notes that a request has come and says what goes wrong with it.
func (o *office) enter(first org.Email, limits []api.Limit) fault {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.requests++; o.onRequest != nil {
		o.onRequest(o.requests)
	}
	o.under++
	o.most = max(o.most, o.under)
	if !o.proven && o.under > 1 {
		o.breach("%d requests together before anything was confirmed", o.under)
	}
	if len(limits) > api.MaxLimits {
		o.breach("%d limits in one request", len(limits))
	}
	for _, l := range limits {
		email := org.Fold(l.Email)
		if value, ok := o.confirmed[email]; ok && value == l.Limit {
			o.breach("%s is sent again although it was confirmed", email)
		}
		o.asked[email] = true
	}
	if !o.intended(limits) {
		o.breach("the request that begins with %s was not recorded", first)
	}
	f := o.faults[first]
	delete(o.faults, first)
	return f
}

// intended reports whether an open intention says exactly what a request asks.
func (o *office) intended(limits []api.Limit) bool {
	for _, open := range o.open {
		if slices.EqualFunc(open, limits, func(a ledger.Limit, b api.Limit) bool {
			return a.Email == org.Fold(b.Email) && a.Credits == b.Limit
		}) {
			return true
		}
	}
	return false
}

// serve treats one entry by its mood.
func (o *office) serve(r *api.LimitsResult, l api.Limit) {
	email, value := org.Fold(l.Email), l.Limit
	m := o.moods[email]
	if m == clamps {
		value++
	}
	if m == renames {
		l.Email = " " + string(email)
	}
	if m == refuses || m == torn {
		r.Errors = append(r.Errors, api.LimitError{Email: l.Email, Error: "no seat left"})
	}
	if m != refuses {
		o.has[email] = value
	}
	if m != refuses && m != silent {
		r.Updated = append(r.Updated, api.Limit{Email: l.Email, Limit: value})
	}
}

// worker is an office that changes no computers and no sessions.
type worker struct {
	*office
	ComputerWriter
	SessionWriter
}
