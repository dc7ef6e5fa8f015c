package policy

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"

	"github.com/open-policy-agent/opa/v1/topdown"
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
	return &watch{limits: l, slots: make([]slot, l.Workers), base: heap(liveBytes)}
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
	tuneCollector()
	for i := range w.slots {
		w.slots[i].overdue(now)
	}
	if w.over(heap(allBytes)) {
		runtime.GC() // garbage does not count
		if w.over(heap(liveBytes)) {
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

const (
	allBytes  = "/memory/classes/heap/objects:bytes" // with garbage
	liveBytes = "/gc/heap/live:bytes"                // as of the last collection
)

func heap(metric string) uint64 {
	sample := []metrics.Sample{{Name: metric}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// While many documents are judged the heap may grow by batchRoom between collections, and
// by so many percent of what is live: evaluation allocates much and keeps little, and the
// collector is what limits it.
const (
	batchRoom = 128 << 20
	mostGC    = 400
	leastGC   = 50
)

// percentOf is what the collector is set to with so many bytes alive.
func percentOf(live uint64) int {
	return int(min(mostGC, max(leastGC, batchRoom*100/max(live, 1))))
}

// batchSize is how many documents are many. One large document keeps much.
const batchSize = 64

// collector counts the batches under way: its setting belongs to the process.
var collector struct {
	sync.Mutex
	batches int
	before  int
	now     int
}

// quietCollector makes the garbage collector run less often until the returned function
// is called, unless whoever started the process chose how often it does.
func quietCollector() (restore func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	collector.Lock()
	defer collector.Unlock()
	if collector.batches++; collector.batches == 1 {
		collector.now = percentOf(heap(liveBytes))
		collector.before = debug.SetGCPercent(collector.now)
	}
	return func() {
		collector.Lock()
		defer collector.Unlock()
		if collector.batches--; collector.batches == 0 {
			debug.SetGCPercent(collector.before)
		}
	}
}

// tuneCollector follows what is alive, in steps: to set the collector stops the world.
func tuneCollector() {
	collector.Lock()
	defer collector.Unlock()
	if collector.batches == 0 {
		return
	}
	if want := percentOf(heap(liveBytes)); want < collector.now*9/10 || want > collector.now*11/10 {
		collector.now = want
		debug.SetGCPercent(want)
	}
}
