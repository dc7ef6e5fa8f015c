package client

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// crowd is a service that refuses everything, or one request, for a while after a number
// of requests, asked by many at once.
type crowd struct {
	status  int           // of a refusal
	after   string        // Retry-After of a refusal
	free    int           // requests answered before the refusals begin
	closed  time.Duration // how long they last; 0: one refusal
	latency time.Duration

	mu      sync.Mutex
	at      []time.Duration // when requests came
	began   time.Time
	refused time.Time // since when
}

func (c *crowd) RoundTrip(req *http.Request) (*http.Response, error) {
	_, _ = io.Copy(io.Discard, req.Body)
	time.Sleep(c.latency)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.began.IsZero() {
		c.began = time.Now().Add(-c.latency)
	}
	c.at = append(c.at, time.Since(c.began)-c.latency)
	if len(c.at) == c.free+1 {
		c.refused = time.Now()
	}
	answer := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(limitsDone)), Request: req, ContentLength: -1}
	if len(c.at) == c.free+1 || len(c.at) > c.free && time.Since(c.refused) < c.closed {
		answer.StatusCode = c.status
		if c.after != "" {
			answer.Header.Set("Retry-After", c.after)
		}
	}
	return answer, nil
}

// ask lets workers put limits until each has done n.
func (c *crowd) ask(t *testing.T, workers, n int) {
	t.Helper()
	client, err := New(Options{BaseURL: "https://api.example.com", Key: key, Transport: c})
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for range n {
				if _, err := client.PutLimits(t.Context(), oneLimit); err != nil && c.status == http.StatusTooManyRequests {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	slices.Sort(c.at)
}

// A service that asks one of many for ten seconds is left alone for ten seconds by all,
// apart from what is under way already, and they do not all come back at once.
func TestPauseForAll(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} {
		synctest.Test(t, func(t *testing.T) {
			const workers = 8
			c := &crowd{status: status, after: "10", free: 40, latency: 100 * time.Millisecond}
			c.ask(t, workers, 20)
			closed := c.at[c.free] + c.latency // when the refusal is known
			early := 0
			for _, at := range c.at {
				if at > closed && at < closed+10*time.Second {
					early++
				}
			}
			if early > 0 {
				t.Errorf("%d: %d requests during the pause", status, early)
			}
			back := c.at[slices.IndexFunc(c.at, func(at time.Duration) bool { return at >= closed+10*time.Second }):]
			if gap := back[workers-1] - back[0]; gap < 100*time.Millisecond {
				t.Errorf("%d: %d requests within %v of the end of the pause", status, workers, gap)
			}
		})
	}
}

// A pause that begins while others wait for their turn holds them too, and a shorter one
// does not end it.
func TestPauseWhileWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPacer(time.Now)
		p.note(http.StatusTooManyRequests, 2*time.Second, time.Minute)
		began := time.Now()
		var waited time.Duration
		var one sync.WaitGroup
		one.Go(func() {
			if err := p.wait(t.Context()); err != nil {
				t.Error(err)
			}
			waited = time.Since(began)
		})
		time.Sleep(time.Second)
		rate := p.limiter.Limit()
		p.note(http.StatusServiceUnavailable, 5*time.Second, time.Minute)
		p.note(http.StatusTooManyRequests, time.Second, time.Minute)
		p.note(http.StatusServiceUnavailable, 0, time.Minute) // an outage, not a pause
		if got := p.limiter.Limit(); got != rate {
			t.Errorf("a refusal during a pause halves the rate: %v, then %v", rate, got)
		}
		one.Wait()
		if waited < 6*time.Second || waited > 12*time.Second {
			t.Errorf("waited %v, want until 6 s and the turn after it", waited)
		}
	})
}

// A service that never says how long still gets slower and slower requests, and fast
// ones again when it answers.
func TestSlowerAndFaster(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &crowd{status: http.StatusTooManyRequests, free: 400, closed: 5 * time.Second, latency: 10 * time.Millisecond}
		c.ask(t, 4, 1000)
		rate := func(from, to time.Duration) float64 {
			n := 0
			for _, at := range c.at {
				if at >= from && at < to {
					n++
				}
			}
			return float64(n) / (to - from).Seconds()
		}
		end := c.at[len(c.at)-1]
		before, during, after := rate(0, time.Second), rate(2*time.Second, 6*time.Second), rate(end-time.Second, end)
		if during > before/20 || after < 10*during {
			t.Errorf("%.0f requests a second, then %.1f, then %.0f", before, during, after)
		}
	})
}
