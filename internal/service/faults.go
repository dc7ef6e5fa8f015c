package service

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"golang.org/x/time/rate"

	"github.com/govctl/govctl/internal/service/store"
)

// Fault is what goes wrong with one request. The zero Fault is none; faults add up.
type Fault struct {
	Name       string        // shown in the log; "" is a fault of a test
	Delay      time.Duration // wait first
	Status     int           // answer this status instead of handling
	RetryAfter time.Duration // said together with Status
	DropBefore bool          // close the connection without handling
	DropAfter  bool          // handle, then close the connection without answering
	Reset      bool          // a dropped connection is reset, not closed
	Truncate   float64       // send only this share of the answer, then close; 0 is all of it
	Slow       int           // bytes of the answer per second; 0 is as fast as possible
	Pages      Paging        // what is wrong with a list
	Refuse     []RefusedUser // entries of a limits request that fail
}

// Paging is what is wrong with the pages of a list.
type Paging string

// The ways of a list to go wrong. A short page is within the contract: a client must not
// take it for the last one.
const (
	PagesCycle         Paging = "cycle"          // the list begins again and again
	PagesShort         Paging = "short"          // pages are half as long as asked for
	PagesMissingCursor Paging = "missing-cursor" // more is promised, but not where
)

// RefusedUser is a member whose limit is refused.
type RefusedUser struct {
	Email  string // in any ASCII case
	Reason string
}

// fault asks what goes wrong with this request, does the parts that come first, and
// bends request and answer so that the others happen on their way.
func (s *Service) fault(w http.ResponseWriter, r *http.Request) (http.ResponseWriter, *http.Request, Fault) {
	if s.o.Fault == nil {
		return w, r, Fault{}
	}
	f := s.o.Fault(r)
	if f.Name != "" {
		s.o.Logger.Info("fault", "rule", f.Name, "method", r.Method, "path", r.URL.EscapedPath())
	}
	wait(r.Context(), f.Delay)
	if f.DropBefore {
		f.hangUp(w)
	}
	if len(f.Refuse) > 0 {
		r = r.WithContext(context.WithValue(r.Context(), refuseKey{}, f.Refuse))
	}
	if f.Pages != "" {
		r = f.Pages.ask(r)
	}
	if f.Truncate > 0 || f.Slow > 0 || f.Pages != "" {
		w = &bent{ResponseWriter: w, ctx: r.Context(), fault: f}
	}
	return w, r, f
}

// wait returns early when ctx ends.
func wait(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// hangUp ends the connection without another byte. A reset tells the client at once; it
// needs HTTP/1, elsewhere the connection is closed as usual.
func (f Fault) hangUp(w http.ResponseWriter) {
	if f.Reset {
		if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
			if tcp, ok := conn.(*net.TCPConn); ok {
				_ = tcp.SetLinger(0) // best effort: closing without it is a drop, too
			}
			_ = conn.Close()
		}
	}
	panic(http.ErrAbortHandler)
}

// told is the refusal that Status asks for.
func (f Fault) told() error {
	p := &problem{status: f.Status, detail: fmt.Sprintf("the service was told to answer this request with %d", f.Status)}
	if f.RetryAfter > 0 {
		p.header = http.Header{"Retry-After": {seconds(f.RetryAfter)}}
	}
	return p
}

type refuseKey struct{}

// refuseAsTold gives the entries that a fault refuses their reason, unless they have one.
func refuseAsTold(ctx context.Context, entries []entry) {
	told, _ := ctx.Value(refuseKey{}).([]RefusedUser)
	for _, one := range told {
		for i := range entries {
			if e := &entries[i]; e.reason == "" && store.FoldEmail(e.email) == store.FoldEmail(one.Email) {
				e.reason = one.Reason
			}
		}
	}
}

// limiter is the allowance of one key: a minute's worth at once, refilled steadily. Only
// valid keys get here, so the map stays small.
func (s *Service) limiter(key string) *rate.Limiter {
	s.mu.Lock()
	defer s.mu.Unlock()
	l, ok := s.rates[key]
	if !ok {
		l = rate.NewLimiter(rate.Limit(float64(s.o.RatePerMinute)/60), s.o.RatePerMinute)
		s.rates[key] = l
	}
	return l
}
