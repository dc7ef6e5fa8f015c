package client

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/govctl/govctl/internal/api"
)

func quiet() *log.Logger { return log.New(io.Discard, "", 0) }

// step is one answer of a scripted service.
type step struct {
	status  int // 0: the connection breaks after the request was sent
	body    string
	headers map[string]string
}

// script answers attempts one after the other; the last step repeats.
type script struct {
	steps  []step
	bodies []string
	at     []time.Duration // when attempts came
	start  time.Time
}

func (s *script) RoundTrip(req *http.Request) (*http.Response, error) {
	body := ""
	if req.Body != nil {
		b, _ := io.ReadAll(req.Body)
		req.Body.Close()
		body = string(b)
	}
	if s.start.IsZero() {
		s.start = time.Now()
	}
	st := s.steps[min(len(s.bodies), len(s.steps)-1)]
	s.bodies, s.at = append(s.bodies, body), append(s.at, time.Since(s.start))
	if st.status == 0 {
		return nil, io.ErrUnexpectedEOF
	}
	h := http.Header{}
	for k, v := range st.headers {
		h.Set(k, v)
	}
	return &http.Response{StatusCode: st.status, Header: h, Body: io.NopCloser(strings.NewReader(st.body)), Request: req, ContentLength: -1}, nil
}

func scripted(t *testing.T, s *script, change ...func(*Options)) *Client {
	t.Helper()
	o := Options{BaseURL: "https://api.example.com", Key: key, Transport: s}
	for _, f := range change {
		f(&o)
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const limitsDone = `{"updated":[{"email":"a@x.io","limit":1}],"errors":[]}`

var oneLimit = []api.Limit{{Email: "a@x.io", Limit: 1}}

func TestRetriesOfReads(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		first step
		again bool
	}{
		{"429", step{status: 429}, true}, {"500", step{status: 500}, true}, {"502", step{status: 502}, true},
		{"503", step{status: 503}, true}, {"504", step{status: 504}, true}, {"broken", step{}, true},
		{"501", step{status: 501}, false}, {"404", step{status: 404}, false}, {"401", step{status: 401}, false},
		{"302", step{status: 302}, false}, {"not JSON", step{status: 200, body: "x"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &script{steps: []step{c.first, {status: 200, body: machine}}}
				_, err := scripted(t, s).Computer(t.Context(), "x")
				if (err == nil) != c.again || (len(s.bodies) == 2) != c.again {
					t.Errorf("%d attempts, %v", len(s.bodies), err)
				}
			})
		})
	}
}

func TestWritesAreSentOnce(t *testing.T) {
	t.Parallel()
	for _, first := range []step{{}, {status: 429}, {status: 503}} {
		synctest.Test(t, func(t *testing.T) {
			s := &script{steps: []step{first, {status: 200, body: machine}}}
			c := scripted(t, s)
			_, e1 := c.CreateComputer(t.Context(), api.NewComputer{Name: "n"})
			if len(s.bodies) != 1 || apiError(t, e1).Ambiguous != (first.status != 429) {
				t.Errorf("POST after %+v: %d attempts, %v", first, len(s.bodies), e1)
			}
		})
		synctest.Test(t, func(t *testing.T) {
			s := &script{steps: []step{first, {status: 200, body: machine}}}
			if _, err := scripted(t, s).UpdateComputer(t.Context(), "x", api.ComputerPatch{Name: "n"}); err == nil || len(s.bodies) != 1 {
				t.Errorf("PATCH after %+v: %d attempts, %v", first, len(s.bodies), err)
			}
		})
	}
}

func TestRetriesOfLimits(t *testing.T) {
	t.Parallel()
	refusal := `{"updated":[],"errors":[{"email":"a@x.io","error":"no"}]}`
	for _, c := range []struct {
		name      string
		steps     []step
		ok        bool
		ambiguous bool
	}{
		{"lost, then done", []step{{}, {status: 200, body: limitsDone}}, true, false},
		{"refused as a whole", []step{{status: 400}}, false, false},
		{"too fast, then refused", []step{{status: 429}, {status: 400}}, false, false},
		{"lost, then refused", []step{{}, {status: 400}}, false, true},
		{"gateway, then forbidden", []step{{status: 502}, {status: 403}}, false, true},
		{"one refused", []step{{status: 200, body: refusal}}, true, false},
		{"lost, then one refused", []step{{}, {status: 200, body: refusal}}, false, true},
		{"lost for ever", []step{{}}, false, true},
		{"too fast for ever", []step{{status: 429}}, false, false},
		{"errors missing", []step{{status: 200, body: `{"updated":[]}`}}, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &script{steps: c.steps}
				r, err := scripted(t, s).PutLimits(t.Context(), oneLimit)
				if (err == nil) != c.ok {
					t.Fatalf("got %+v, %v", r, err)
				}
				if err != nil && apiError(t, err).Ambiguous != c.ambiguous {
					t.Errorf("ambiguous %v: %v", !c.ambiguous, err)
				}
				for _, b := range s.bodies {
					if b != `{"users":[{"email":"a@x.io","limit":1}]}` {
						t.Errorf("body %q", b)
					}
				}
				if c.name == "lost, then one refused" && len(r.Errors) != 1 {
					t.Errorf("the answer is not handed on: %+v", r)
				}
			})
		})
	}
}

// The waits: at least half of the doubling ones, never longer than what is left.
func TestBackoff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &script{steps: []step{{status: 503}}}
		_, err := scripted(t, s, func(o *Options) { o.Retries = 5; o.MaxWait = time.Hour }).Computer(t.Context(), "x")
		if apiError(t, err).Status != 503 || len(s.at) != 6 {
			t.Fatalf("%d attempts, %v", len(s.at), err)
		}
		for i := 1; i < len(s.at); i++ {
			if wait, full := s.at[i]-s.at[i-1], firstWait<<(i-1); wait < full/2 || wait > full {
				t.Errorf("wait %d is %v, want %v to %v", i, wait, full/2, full)
			}
		}
	})
	synctest.Test(t, func(t *testing.T) {
		s := &script{steps: []step{{status: 503}}}
		_, err := scripted(t, s, func(o *Options) { o.Retries = 1000; o.MaxWait = 2 * time.Minute }).Computer(t.Context(), "x")
		if last := s.at[len(s.at)-1]; apiError(t, err).Status != 503 || last != 2*time.Minute {
			t.Errorf("last attempt after %v, %v", last, err)
		}
	})
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		headers  map[string]string
		min, max time.Duration
	}{
		{"seconds", map[string]string{"Retry-After": "7"}, 7 * time.Second, 8 * time.Second},
		{"date by the server's clock", map[string]string{"Date": "Tue, 03 Nov 2026 09:00:00 GMT", "Retry-After": "Tue, 03 Nov 2026 09:00:09 GMT"}, 9 * time.Second, 10 * time.Second},
		{"date in the past", map[string]string{"Date": "Tue, 03 Nov 2026 09:00:00 GMT", "Retry-After": "Mon, 02 Nov 2026 09:00:09 GMT"}, 0, time.Second},
		{"date far away is capped", map[string]string{"Retry-After": "Tue, 03 Nov 2099 09:00:09 GMT"}, time.Minute, time.Minute},
		{"seconds for ever are capped", map[string]string{"Retry-After": "2000000000"}, time.Minute, time.Minute},
		{"nonsense", map[string]string{"Retry-After": "soon"}, 0, time.Second},
		{"negative", map[string]string{"Retry-After": "-5"}, 0, time.Second},
		{"wrong zone", map[string]string{"Retry-After": "Tue, 03 Nov 2099 09:00:09 +0000"}, 0, time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &script{steps: []step{{status: 503, headers: c.headers}, {status: 200, body: machine}}}
				if _, err := scripted(t, s, func(o *Options) { o.MaxWait = time.Minute }).Computer(t.Context(), "x"); err != nil {
					t.Fatal(err)
				}
				if got := s.at[1]; got < c.min || got > c.max {
					t.Errorf("waited %v, want %v to %v", got, c.min, c.max)
				}
			})
		})
	}
}

func TestCancelWhileWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &script{steps: []step{{status: 503, headers: map[string]string{"Retry-After": "60"}}}}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		began := time.Now()
		_, err := scripted(t, s).PutLimits(ctx, oneLimit)
		if !errors.Is(err, context.Canceled) || time.Since(began) != time.Second {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
		if !apiError(t, err).Ambiguous {
			t.Error("the 503 may have been carried out")
		}
	})
}

// After a 429 everybody slows down, and speeds up again with success.
func TestPace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &script{steps: []step{{status: 200, body: machine}}}
		c := scripted(t, s)
		read := func(n int) time.Duration {
			began := time.Now()
			for range n {
				if _, err := c.Computer(t.Context(), "x"); err != nil {
					t.Fatal(err)
				}
			}
			return time.Since(began)
		}
		if d := read(50); d != 0 {
			t.Errorf("50 requests at a free rate took %v", d)
		}
		c.pace.note(429, 3*time.Second, time.Minute)
		limit := c.pace.limiter.Limit()
		c.pace.note(429, 0, time.Minute)
		if again := c.pace.limiter.Limit(); again != limit || limit != 25 {
			t.Errorf("one burst halves once: %v, then %v", limit, again)
		}
		if d := read(1); d != 3*time.Second {
			t.Errorf("the first after Retry-After waited %v", d)
		}
		if d := read(100); d < time.Second || d > 4*time.Second {
			t.Errorf("100 requests at 25 a second and rising took %v", d)
		}
		read(2000)
		if d := read(50); d != 0 {
			t.Errorf("the rate is not free again: %v", d)
		}
	})
}

func listen(b *testing.B) net.Listener {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	return l
}
