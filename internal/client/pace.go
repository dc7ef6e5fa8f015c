package client

import (
	"context"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// The rate is free until the service first says 429 (C218). Then it is half of what was
// sent, halves again with every burst of refusals and grows a little with every success.
const (
	window    = 10 * time.Second // over which the rate sent is measured
	slowest   = rate.Limit(0.2)  // requests per second
	fastest   = rate.Limit(500)  // above it the rate is free again
	growth    = rate.Limit(0.05) // requests per second gained by one success, and
	increment = 0.02             // this share of the rate
)

// pacer spreads requests so that the service need not refuse them.
type pacer struct {
	now func() time.Time

	mu      sync.Mutex
	limiter *rate.Limiter
	until   time.Time // nothing is sent before
	cut     time.Time // when the rate was last halved
	begun   time.Time // of the measured window
	count   int       // requests in it
	last    float64   // requests per second in the window before
}

func newPacer(now func() time.Time) *pacer {
	return &pacer{now: now, limiter: rate.NewLimiter(rate.Inf, 1)}
}

// wait blocks until one request may be sent.
func (p *pacer) wait(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	d := p.reserve()
	if d <= 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

func (p *pacer) reserve() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if p.begun.IsZero() {
		p.begun = now
	}
	if age := now.Sub(p.begun); age >= window {
		p.last, p.count, p.begun = float64(p.count)/age.Seconds(), 0, now
	}
	p.count++
	d := p.limiter.ReserveN(now, 1).DelayFrom(now)
	return max(d, p.until.Sub(now))
}

// note learns from the end of one attempt.
func (p *pacer) note(status int, after, most time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now, limit := p.now(), p.limiter.Limit()
	switch {
	case status == http.StatusTooManyRequests:
		if until := now.Add(min(after, most)); until.After(p.until) {
			p.until = until
		}
		if now.Sub(p.cut) < time.Second {
			return // the same burst
		}
		p.cut = now
		if limit == rate.Inf {
			limit = rate.Limit(max(p.last, float64(p.count)/max(1, now.Sub(p.begun).Seconds())))
		}
		p.limiter.SetLimitAt(now, max(slowest, limit/2))
	case status >= 200 && status < 300 && limit != rate.Inf:
		if limit += growth + limit*increment; limit > fastest {
			limit = rate.Inf
		}
		p.limiter.SetLimitAt(now, limit)
	}
}
