package client

import (
	"context"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// The rate is free until the service first says that it is too much: 429 (C218), or 503
// with a time to come back. Then it is half of what was sent, halves again with every
// burst of refusals and grows a little with every success.
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

// wait blocks until one request may be sent. Who waits through a pause is sent after
// another one that began meanwhile.
func (p *pacer) wait(ctx context.Context) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if d := p.reserve(); d > 0 {
			if err := sleep(ctx, d); err != nil {
				return err
			}
		}
		if p.begin() {
			return nil
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// reserve takes a turn and says how far away it is. Turns after a pause are as far apart
// as any, so that the end of the pause is not a burst.
func (p *pacer) reserve() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	from := p.earliest(now)
	return max(from.Sub(now), p.limiter.ReserveN(from, 1).DelayFrom(now))
}

// earliest is when the next request may be sent if the rate allows it.
func (p *pacer) earliest(now time.Time) time.Time {
	if p.until.After(now) {
		return p.until
	}
	return now
}

// begin counts a request that is sent now, unless a pause has begun.
func (p *pacer) begin() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if p.until.After(now) {
		return false
	}
	if p.begun.IsZero() {
		p.begun = now
	}
	if age := now.Sub(p.begun); age >= window {
		p.last, p.count, p.begun = float64(p.count)/age.Seconds(), 0, now
	}
	p.count++
	return true
}

// note learns from the end of one attempt. A service that refuses because of too many
// requests, or names a time after which it is available, is left alone by all until then.
func (p *pacer) note(status int, after, most time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	switch {
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable && after > 0:
		same := p.until.After(now) || now.Sub(p.cut) < time.Second // the same burst
		if until := now.Add(min(after, most)); until.After(p.until) {
			p.until = until
		}
		if !same {
			p.slow(now)
		}
	case status >= 200 && status < 300:
		p.grow(now)
	}
}

// slow halves the rate.
func (p *pacer) slow(now time.Time) {
	limit := p.limiter.Limit()
	if limit == rate.Inf {
		limit = rate.Limit(max(p.last, float64(p.count)/max(1, now.Sub(p.begun).Seconds())))
	}
	p.cut = now
	p.limiter.SetLimitAt(p.earliest(now), max(slowest, limit/2))
}

// grow raises the rate a little, until it is free again.
func (p *pacer) grow(now time.Time) {
	limit := p.limiter.Limit()
	if limit == rate.Inf {
		return
	}
	if limit += growth + limit*increment; limit > fastest {
		limit = rate.Inf
	}
	p.limiter.SetLimitAt(p.earliest(now), limit)
}
