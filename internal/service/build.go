package service

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/govctl/govctl/internal/service/store"
)

// builder aggregates days, one run at a time, in the one goroutine a Service has. Runs are
// at the start of the service, at 00:05 UTC, and when a read finds days that are missing.
type builder struct {
	build func(context.Context) error
	now   func() time.Time
	stop  context.CancelFunc
	wake  chan struct{} // of capacity 1
	ended chan struct{}

	mu    sync.Mutex
	next  *run      // asked for and not begun
	begun time.Time // when the last run began
}

// run is one run that may have several waiting for it.
type run struct {
	done chan struct{}
	err  error // valid when done is closed
}

var errClosed = errors.New("the service is closing")

// startBuilder runs the goroutine until close.
func startBuilder(now func() time.Time, build func(context.Context) error) *builder {
	ctx, stop := context.WithCancel(context.Background())
	b := &builder{build: build, now: now, stop: stop, wake: make(chan struct{}, 1), ended: make(chan struct{})}
	go b.loop(ctx)
	return b
}

// close ends the run under way, if there is one, and waits for the goroutine.
func (b *builder) close() {
	b.stop()
	<-b.ended
}

// ask waits for a run that begins after the call; everybody who asks meanwhile shares it.
func (b *builder) ask(ctx context.Context) error {
	b.mu.Lock()
	if b.next == nil {
		b.next = &run{done: make(chan struct{})}
	}
	r := b.next
	b.wakeUp()
	b.mu.Unlock()
	select {
	case <-r.done:
		return r.err
	case <-b.ended:
		return errClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

// wakeUp causes a run for which nobody waits.
func (b *builder) wakeUp() {
	select {
	case b.wake <- struct{}{}:
	default: // awake already
	}
}

// last is when the last run began, the zero time if there was none.
func (b *builder) last() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.begun
}

func (b *builder) loop(ctx context.Context) {
	defer close(b.ended)
	for {
		t := time.NewTimer(untilBatch(b.now()))
		select {
		case <-b.wake:
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return
		}
		t.Stop()
		b.mu.Lock()
		select {
		case <-b.wake: // came since; this run is for it, too
		default:
		}
		r := b.next
		b.next, b.begun = nil, b.now()
		b.mu.Unlock()
		err := b.build(ctx)
		if r != nil {
			r.err = err
			close(r.done)
		}
	}
}

// batchAt is when the days of all time zones that are UTC have ended, and then some for
// senders that batch.
const batchAt = 5 * time.Minute

// untilBatch is how long it is until the next 00:05 UTC.
func untilBatch(now time.Time) time.Duration {
	next := now.UTC().Truncate(24 * time.Hour).Add(batchAt)
	if !next.After(now) {
		next = next.Add(24 * time.Hour)
	}
	return next.Sub(now)
}

// rebuildEvery is how often reads may cause days to be built again. Late spans may
// arrive all the time, and a large day takes half a minute.
const rebuildEvery = 10 * time.Minute

// upToDate makes sure that every day before today has been aggregated (C19). Days that
// changed since are aggregated again with the first read after midnight, and after that
// every now and then (U21).
func (s *Service) upToDate(ctx context.Context) error {
	now := s.now()
	dirty, err := s.store.DirtyDays(ctx, store.DayOf(now)-1)
	if err != nil || len(dirty) == 0 {
		return err
	}
	last := s.builder.last()
	due := store.DayOf(last) != store.DayOf(now) || now.Sub(last) >= rebuildEvery
	for _, d := range dirty {
		due = due || !d.Built
	}
	if !due {
		return nil
	}
	return s.builder.ask(ctx)
}

// BuildDays aggregates every day before today that changed and waits for it.
func (s *Service) BuildDays(ctx context.Context) error {
	if err := s.builder.ask(ctx); err != nil {
		return fmt.Errorf("build days: %w", err)
	}
	return nil
}
