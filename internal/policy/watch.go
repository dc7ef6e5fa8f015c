package policy

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/metrics"
	"sync"
	"time"

	"github.com/open-policy-agent/opa/v1/topdown"

	"github.com/govctl/govctl/internal/collector"
)

// errStopped is why an evaluation ended that did not end by itself.
var errStopped = errors.New("stopped")

// tick is how often evaluations are looked at.
const tick = 5 * time.Millisecond

// watch stops evaluations that take too long or fill the memory. One goroutine does it
// for all workers: a context with a deadline would cost one for every evaluation.
type watch struct {
	limits Limits
	slots  []slot // one for each worker
	base   uint64 // bytes in use before
}

// slot is the evaluation one worker is at.
type slot struct {
	mu      sync.Mutex
	started time.Time // zero: none
	allowed time.Duration
	cancel  topdown.Cancel
	why     error
}

func newWatch(l Limits) *watch {
	return &watch{limits: l, slots: make([]slot, l.Workers), base: collector.Live()}
}

// begin starts an evaluation that may take as long as allowed, and returns what stops it.
func (s *slot) begin(allowed time.Duration) topdown.Cancel {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.started, s.allowed, s.cancel, s.why = time.Now(), allowed, topdown.NewCancel(), nil
	return s.cancel
}

// end says why the evaluation was stopped, nil if it was not.
func (s *slot) end() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.started = time.Time{}
	return s.why
}

// stop ends the evaluation if there is one.
func (s *slot) stop(why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.started.IsZero() && s.why == nil {
		s.why = why
		s.cancel.Cancel()
	}
}

// overdue ends the evaluation if it takes longer than it may.
func (s *slot) overdue(now time.Time) {
	s.mu.Lock()
	late := !s.started.IsZero() && now.Sub(s.started) > s.allowed
	allowed := s.allowed
	s.mu.Unlock()
	if late {
		s.stop(fmt.Errorf("%w after %s", errStopped, allowed.Round(time.Millisecond)))
	}
}

// start watches until the returned function is called.
func (w *watch) start(ctx context.Context) (end func()) {
	done := make(chan struct{})
	var g sync.WaitGroup
	g.Go(func() {
		t := time.NewTicker(tick)
		defer t.Stop()
		for {
			select {
			case <-done:
				return
			case now := <-t.C:
				if err := ctx.Err(); err != nil {
					w.stopAll(err)
				}
				w.look(now)
			}
		}
	})
	return func() {
		close(done)
		g.Wait()
	}
}

func (w *watch) look(now time.Time) {
	collector.Tune()
	for i := range w.slots {
		w.slots[i].overdue(now)
	}
	if w.over(heap()) {
		runtime.GC() // garbage does not count
		if w.over(collector.Live()) {
			w.stopAll(fmt.Errorf("%w: it needs more than %d MiB of memory", errStopped, w.limits.Memory>>20))
		}
	}
}

func (w *watch) over(bytes uint64) bool { return bytes > w.base+uint64(w.limits.Memory) }

func (w *watch) stopAll(why error) {
	for i := range w.slots {
		w.slots[i].stop(why)
	}
}

// heap is how many bytes of the heap are in use, with garbage.
func heap() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// batchSize is how many documents are many. One large document keeps much.
const batchSize = 64
