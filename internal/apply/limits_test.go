package apply

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/ledger"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
)

// TestBatches holds that plan promises the requests apply sends.
func TestBatches(t *testing.T) {
	t.Parallel()
	if plan.MaxBatch != api.MaxLimits {
		t.Fatalf("plan counts batches of %d, the API takes %d", plan.MaxBatch, api.MaxLimits)
	}
	for _, n := range []int{0, 1, 99, 100, 101, 250} {
		w := &world{}
		report, err := w.run(t, planOf(n, nil))
		if err != nil || len(report.Limits.Set) != n {
			t.Fatalf("%d limits: %d set, %v", n, len(report.Limits.Set), err)
		}
		if want := (n + api.MaxLimits - 1) / api.MaxLimits; len(w.batches) != want {
			t.Errorf("%d limits went in %d requests, want %d", n, len(w.batches), want)
		}
		checkBatches(t, w)
	}
}

// checkBatches holds that batches have 1 to 100 entries, sorted, and nobody twice.
func checkBatches(t interface {
	Helper()
	Fatalf(string, ...any)
}, w *world) {
	t.Helper()
	seen := map[org.Email]bool{}
	last := org.Email("")
	for i, b := range w.batches {
		if len(b) == 0 || len(b) > api.MaxLimits {
			t.Fatalf("batch %d has %d entries", i, len(b))
		}
		for _, l := range b {
			e := org.Fold(l.Email)
			if seen[e] || e < last {
				t.Fatalf("batch %d: %s is sent twice or after %s", i, l.Email, last)
			}
			seen[e], last = true, e
		}
	}
}

// TestLimitsRecorded holds the order of things: intention, request, outcome, and that
// each record says what it must.
func TestLimitsRecorded(t *testing.T) {
	t.Parallel()
	w := &world{next: []fault{fine, lying, refused}}
	report, err := w.run(t, planOf(301, nil))
	if err == nil || !strings.Contains(err.Error(), "status 400") || report.Reason != err.Error() {
		t.Errorf("err = %v, reason %q", err, report.Reason)
	}
	want := []string{
		"r1 intention: limits 100", "PUT 100", "r2 outcome of r1: limits set 100 refused 0 unknown 0",
		"r3 intention: limits 100", "PUT 100", "r4 outcome of r3: limits set 0 refused 0 unknown 100",
		"r5 intention: limits 100", "PUT 100", "r6 outcome of r5: limits set 0 refused 100 unknown 0",
	}
	if diff := cmp.Diff(want, w.log); diff != "" {
		t.Errorf("what happened (-want +got):\n%s", diff)
	}
	first := w.records[0]
	if first.Plan != "sha256:d" || first.Target != (ledger.Target{BaseURL: "https://api.example.com", Organization: "org_1"}) {
		t.Errorf("the intention is for %q at %v", first.Plan, first.Target)
	}
	if diff := cmp.Diff(ledger.Limit{Email: "user0001@example.com", SendAs: "User0001@example.com", Credits: 1, UserID: "u_1"}, first.Limits[1]); diff != "" {
		t.Errorf("intended limit (-want +got):\n%s", diff)
	}
	if got := w.records[5]; got.RequestID != "req_bad" || got.Refused[0].Email != "user0200@example.com" || got.Refused[0].Error == "" {
		t.Errorf("the refusal is recorded as %v", got)
	}
	if got := w.records[1]; got.Set[99] != "user0099@example.com" || got.Plan != "" || got.Target != (ledger.Target{}) {
		t.Errorf("the outcome is recorded as %+v", got)
	}
	l := report.Limits
	if len(l.Set) != 100 || len(l.Unknown) != 100 || len(l.Refused) != 100 || len(l.NotAttempted) != 1 || report.Result != ResultPartial {
		t.Errorf("%s: set %d, unknown %d, refused %d, not attempted %d", report.Result, len(l.Set), len(l.Unknown), len(l.Refused), len(l.NotAttempted))
	}
}

// TestFailedBatchStops is every way a whole request can fail.
func TestFailedBatchStops(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		f              fault
		set, ref, unkn int
	}{{refused, 100, 100, 0}, {forbidden, 100, 100, 0}, {lost, 100, 0, 100}, {cut, 100, 0, 100}} {
		w := &world{next: []fault{fine, c.f}}
		report, err := w.run(t, planOf(250, nil, "ses_1"))
		l := report.Limits
		if err == nil || len(l.Set) != c.set || len(l.Refused) != c.ref || len(l.Unknown) != c.unkn || len(l.NotAttempted) != 50 {
			t.Errorf("fault %d: %v; set %d, refused %d, unknown %d, not attempted %d", c.f, err, len(l.Set), len(l.Refused), len(l.Unknown), len(l.NotAttempted))
		}
		if report.Sessions[0].Result != NotAttempted || len(w.batches) != 2 {
			t.Errorf("fault %d: went on to %v after %d batches", c.f, report.Sessions, len(w.batches))
		}
		if report.Result != ResultPartial {
			t.Errorf("fault %d: result %s", c.f, report.Result)
		}
	}
}

// TestInterrupted holds that a request under way is finished and recorded, and that
// nothing is sent after it.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	for at, want := range map[int]struct{ set, rest int }{0: {0, 250}, 1: {100, 150}, 2: {200, 50}, 3: {250, 0}} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		requests := 0
		w := &world{onRequest: func() {
			if requests++; requests == at {
				cancel()
			}
		}}
		if at == 0 {
			cancel()
		}
		report, err := Run(ctx, w, w, planOf(250, nil), Options{})
		l := report.Limits
		if len(l.Set) != want.set || len(l.NotAttempted) != want.rest || len(l.Unknown)+len(l.Refused) != 0 {
			t.Errorf("cancelled in request %d: set %d, not attempted %d, unknown %d", at, len(l.Set), len(l.NotAttempted), len(l.Unknown))
		}
		if len(w.records) != 2*len(w.batches) {
			t.Errorf("cancelled in request %d: %d records of %d requests", at, len(w.records), len(w.batches))
		}
		interrupted := want.rest > 0
		if errors.Is(err, context.Canceled) != interrupted || (report.Result == ResultInterrupted) != interrupted {
			t.Errorf("cancelled in request %d: %s, %v", at, report.Result, err)
		}
	}
}

// TestLedgerFails holds that nothing is sent without its intention on record, and that
// a lost outcome is still reported.
func TestLedgerFails(t *testing.T) {
	t.Parallel()
	for k := 1; k <= 6; k++ {
		w := &world{failAt: k}
		report, err := w.run(t, planOf(250, nil))
		if !errors.Is(err, ErrLedger) || !strings.Contains(report.Reason, "disk full") {
			t.Fatalf("append %d fails: %v, reason %q", k, err, report.Reason)
		}
		if want := k / 2; len(w.batches) != want {
			t.Errorf("append %d fails: %d requests, want %d", k, len(w.batches), want)
		}
		if want := min(100*(k/2), 250); len(report.Limits.Set) != want || len(report.Limits.NotAttempted) != 250-want {
			t.Errorf("append %d fails: set %d, not attempted %d, want set %d", k, len(report.Limits.Set), len(report.Limits.NotAttempted), want)
		}
		if report.Result == ResultApplied && k < 6 || report.Result == ResultInterrupted {
			t.Errorf("append %d fails: result %s", k, report.Result)
		}
	}
	w := &world{failAt: 2, next: []fault{cut}}
	if _, err := w.run(t, planOf(1, nil)); !errors.Is(err, ErrLedger) || !strings.Contains(err.Error(), "connection reset") {
		t.Errorf("the ledger and the request fail: %v", err)
	}
}

// TestWarningsArePartial holds that an answer about strangers is never a clean apply.
func TestWarningsArePartial(t *testing.T) {
	t.Parallel()
	w := &stranger{world{}}
	report, err := Run(t.Context(), w, w, planOf(1, nil), Options{})
	if err != nil || report.Result != ResultPartial || !slices.Equal(report.Warnings, []string{"the service reports a limit nobody asked for: eve@example.com = 1"}) {
		t.Errorf("%s, %v, %v", report.Result, report.Warnings, err)
	}
}

// stranger also reports a limit nobody asked for.
type stranger struct{ world }

func (s *stranger) PutLimits(ctx context.Context, limits []api.Limit) (api.LimitsResult, error) {
	r, err := s.world.PutLimits(ctx, limits)
	r.Updated = append(slices.Clone(r.Updated), api.Limit{Email: "eve@example.com", Limit: 1})
	return r, err
}

func TestProgress(t *testing.T) {
	t.Parallel()
	var got []string
	w := &world{next: []fault{fine, fine, fine, cut}}
	p := planOf(150, []plan.ComputerChange{{Action: plan.ActionBlocked, Name: "b"}, {Action: plan.ActionCreate, Name: "a"}}, "ses_1")
	_, _ = Run(t.Context(), w, w, p, Options{Progress: func(settled, total int) { got = append(got, fmt.Sprintf("%d/%d", settled, total)) }})
	if diff := cmp.Diff([]string{"1/152", "101/152", "151/152", "152/152"}, got); diff != "" {
		t.Errorf("progress (-want +got):\n%s", diff)
	}
}
