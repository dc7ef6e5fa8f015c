package service

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestUntilBatch holds 5.6: 00:05 UTC, whatever the time zone of the clock.
func TestUntilBatch(t *testing.T) {
	t.Parallel()
	west := time.FixedZone("west", -8*60*60)
	for text, want := range map[string]time.Duration{
		"2026-11-20T00:00:00Z": 5 * time.Minute, "2026-11-20T00:04:59.999Z": time.Millisecond, "2026-11-20T00:05:00Z": 24 * time.Hour,
		"2026-11-20T23:59:00Z": 6 * time.Minute, "2028-02-29T12:05:00Z": 12 * time.Hour,
	} {
		at, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := untilBatch(at), untilBatch(at.In(west)); a != want || b != want {
			t.Errorf("%s: %v and %v, want %v", text, a, b, want)
		}
	}
}

// TestBatchTimer holds 5.6 with the timer itself: the goroutine runs at 00:05 UTC of each
// day, at no other time, also after a run that failed or took until noon, and what wakes it
// in between does not move the next run.
func TestBatchTimer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now().UTC() // midnight, by the clock of synctest
		var mu sync.Mutex
		var runs []string
		b := startBuilder(time.Now, func(ctx context.Context) error {
			mu.Lock()
			runs = append(runs, time.Now().UTC().Format("02T15:04:05.999"))
			n := len(runs)
			mu.Unlock()
			switch n {
			case 2:
				return errors.New("broken")
			case 3:
				return sleep(ctx, 12*time.Hour)
			}
			return nil
		})
		want := func(at time.Duration, want ...string) {
			t.Helper()
			time.Sleep(time.Until(start.Add(at)))
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			if !slices.Equal(runs, want) {
				t.Errorf("after %s: %q, want %q", at, runs, want)
			}
		}
		const day = 24 * time.Hour
		want(batchAt - time.Millisecond)
		want(batchAt, "01T00:05:00")
		want(day+batchAt-time.Millisecond, "01T00:05:00")
		want(day+batchAt, "01T00:05:00", "02T00:05:00")
		want(2*day+batchAt+time.Hour, "01T00:05:00", "02T00:05:00", "03T00:05:00")
		want(2*day+18*time.Hour, "01T00:05:00", "02T00:05:00", "03T00:05:00")
		b.wakeUp()
		want(3*day+batchAt-time.Millisecond, "01T00:05:00", "02T00:05:00", "03T00:05:00", "03T18:00:00")
		want(3*day+batchAt, "01T00:05:00", "02T00:05:00", "03T00:05:00", "03T18:00:00", "04T00:05:00")
		b.close()
		want(5*day, "01T00:05:00", "02T00:05:00", "03T00:05:00", "03T18:00:00", "04T00:05:00")
	})
}

// TestBatchTimerOfAnotherClock: the clock of the service decides when it is 00:05, also in
// another time zone than that of the process.
func TestBatchTimerOfAnotherClock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		west := time.FixedZone("west", -8*60*60)
		now := func() time.Time { return time.Now().Add(23 * time.Hour).In(west) }
		var runs atomic.Int64
		b := startBuilder(now, func(context.Context) error { runs.Add(1); return nil })
		defer b.close()
		for _, step := range []struct {
			sleep time.Duration
			want  int64
		}{{time.Hour, 0}, {batchAt - time.Millisecond, 0}, {time.Millisecond, 1}, {24*time.Hour - time.Millisecond, 1}, {time.Millisecond, 2}} {
			time.Sleep(step.sleep)
			synctest.Wait()
			if got := runs.Load(); got != step.want {
				t.Errorf("at %s: %d runs, want %d", now(), got, step.want)
			}
		}
	})
}

// TestRunAnswersAll: when a run has ended that somebody asked for, none follows that was
// wanted before.
func TestRunAnswersAll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var runs atomic.Int64
		b := startBuilder(time.Now, func(context.Context) error { runs.Add(1); return nil })
		defer b.close()
		for range 2000 {
			b.wakeUp()
			if err := b.ask(t.Context()); err != nil {
				t.Fatal(err)
			}
			before := runs.Load()
			if synctest.Wait(); runs.Load() != before {
				t.Fatalf("another run after %d", before)
			}
		}
	})
}

// TestBatchTimerEnds: close ends a run under way and the goroutine, and who waits learns it.
func TestBatchTimerEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := startBuilder(time.Now, func(ctx context.Context) error { return sleep(ctx, time.Hour) })
		time.Sleep(batchAt)
		asked := make(chan error, 1)
		go func() { asked <- b.ask(t.Context()) }()
		synctest.Wait()
		before := time.Now()
		b.close()
		if took := time.Since(before); took > 0 {
			t.Errorf("close waited %s for the run under way", took)
		}
		if err := <-asked; !errors.Is(err, errClosed) && !errors.Is(err, context.Canceled) {
			t.Errorf("who waited: %v", err)
		}
	})
}

// sleep returns early with the reason when ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	wait(ctx, d)
	return ctx.Err()
}
