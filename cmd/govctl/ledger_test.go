package main

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/govctl/govctl/internal/apply"
	"github.com/govctl/govctl/internal/ledger"
	"github.com/govctl/govctl/internal/pgtest"
)

// sharedLedger makes a ledger in PostgreSQL.
func sharedLedger(t *testing.T) (string, ledger.Location) {
	t.Helper()
	url := pgtest.New(t)
	at, err := ledger.Locate(url, "")
	if err != nil {
		t.Fatal(err)
	}
	return url, at
}

// TestLedgerLocked: who comes second is told who holds the ledger, since when and until
// when, and sends nothing. The lock can be taken away by its ID and not otherwise.
func TestLedgerLocked(t *testing.T) {
	t.Parallel()
	url, at := sharedLedger(t)
	b := newBench(t)
	held, err := at.Open(t.Context(), ledger.Options{Owner: "eve"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = held.Close() })
	for _, c := range []struct {
		args string
		want int
		says []string
	}{
		{"apply DIR --auto-approve", exitLocked, []string{"is locked by eve on ", ", since ", ", expires ", "hint: ", "govctl ledger unlock --force 1\n"}},
		{"ledger compact DIR", exitLocked, []string{"is locked by eve on "}},
		{"plan DIR", exitDone, []string{"2 to set"}},
		{"ledger unlock DIR", exitLocked, []string{"is locked by eve on ", "nobody can be asked here", "--force 1"}},
		{"ledger unlock DIR --force 2", exitLocked, []string{"lock 2 is not the one that is held"}},
		{"ledger unlock DIR --force 1", exitDone, []string{"lock 1 of ledger postgres:"}},
		{"ledger unlock DIR", exitDone, []string{"is not locked"}},
		{"apply DIR --auto-approve", exitDone, []string{"Applied"}},
	} {
		code, out, errs := b.run(t.Context(), append(strings.Fields(c.args), "--ledger", url)...)
		if code != c.want {
			t.Errorf("govctl %s: exit %d, want %d\n%s%s", c.args, code, c.want, out, errs)
		}
		for _, text := range c.says {
			if !strings.Contains(out+errs, text) {
				t.Errorf("govctl %s: %q is not in\n%s%s", c.args, text, out, errs)
			}
		}
		if n := b.written.Load(); n > 0 && code == exitLocked {
			t.Errorf("govctl %s: %d requests that write were sent", c.args, n)
		}
	}
}

// TestFileUnlock says what is true of the lock of a file.
func TestFileUnlock(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	if code, out, errs := b.run(t.Context(), "ledger", "unlock", "DIR"); code != exitDone || !strings.Contains(out, "is not locked") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	b.lock()
	if code, out, errs := b.run(t.Context(), "ledger", "unlock", "DIR", "--force", "1"); code != exitLocked || !strings.Contains(errs, "hint: end that process") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}

// thief takes the lock away before the n-th write of an apply.
type thief struct {
	apply.Recorder
	t    *testing.T
	at   ledger.Location
	left int
}

func (f *thief) Append(ctx context.Context, r ledger.Record) (ledger.Record, error) {
	if f.left--; f.left == 0 {
		held, err := f.at.Lock(ctx)
		if err == nil {
			_, err = f.at.Unlock(ctx, held.ID)
		}
		if err != nil {
			f.t.Error(err)
		}
	}
	return f.Recorder.Append(ctx, r)
}

// TestLedgerLockLost takes the lock away from a running apply: without its intention on
// record nothing is sent, and what was sent without its outcome on record is unknown, so
// that the next plan asks again.
func TestLedgerLockLost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		at   int
		sent int64
	}{{"before the intention", 1, 0}, {"before the outcome", 2, 1}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			url, at := sharedLedger(t)
			b := newBench(t)
			var out, errs bytes.Buffer
			code := run(t.Context(), []string{
				"apply", b.dir, "--auto-approve", "--ledger", url,
				"--base-url", b.url, "--api-key-file", filepath.Join(b.dir, "key"), "--max-wait", "0",
			}, stdio{in: strings.NewReader(""), out: &out, err: &errs, now: time.Now, wrap: func(r apply.Recorder) apply.Recorder {
				return &thief{Recorder: r, t: t, at: at, left: c.at}
			}})
			if code != exitLocked || !strings.Contains(errs.String(), "was taken away") {
				t.Errorf("exit %d, want %d\n%s%s", code, exitLocked, &out, &errs)
			}
			if n := b.written.Load(); n != c.sent {
				t.Errorf("%d requests that write were sent, want %d", n, c.sent)
			}
			if code, out, errs := b.run(t.Context(), "plan", "DIR", "--ledger", url); code != exitDone || !strings.Contains(out, "2 to set") {
				t.Errorf("plan after it: exit %d\n%s%s", code, out, errs)
			}
		})
	}
}

// TestTwentyApplies starts twenty applies at once on one shared ledger. Each is done or
// told that the ledger is locked, and every limit is sent once.
func TestTwentyApplies(t *testing.T) {
	t.Parallel()
	url, at := sharedLedger(t)
	b := newBench(t)
	var group sync.WaitGroup
	var done sync.Map
	for i := range 20 {
		group.Go(func() {
			out, err := command("govctl", "apply", b.dir, "--auto-approve", "--ledger", url,
				"--base-url", b.url, "--api-key-file", filepath.Join(b.dir, "key")).CombinedOutput()
			var exit *exec.ExitError
			switch {
			case err == nil:
				done.Store(i, true)
			case !errors.As(err, &exit) || exit.ExitCode() != exitLocked:
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	group.Wait()
	count := 0
	done.Range(func(any, any) bool { count++; return true })
	if n := b.written.Load(); n != 1 || count == 0 {
		t.Errorf("%d requests that write by %d applies that were done, want 1 by some", n, count)
	}
	log, err := at.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if n := len(log.Records()); n != 2 || log.Verify() != nil {
		t.Errorf("%d records, %v", n, log.Verify())
	}
}
