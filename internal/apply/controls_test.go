package apply

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/ledger"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
)

// do applies p to o.
func (o *office) do(ctx context.Context, p *plan.Plan, options Options) (*Report, error) {
	return Run(ctx, worker{office: o}, o, p, options)
}

func user(i int) org.Email { return org.Email(fmt.Sprintf("user%04d@example.com", i)) }

// drawOffice is a service that misbehaves in every known way towards n members.
func drawOffice(t *rapid.T, n int, o Options) func() *office {
	some := func(label string) []int {
		return rapid.SliceOfN(rapid.IntRange(0, max(0, n-1)), 0, 4).Draw(t, label)
	}
	malformed := some("malformed")
	moods := map[org.Email]mood{}
	for _, i := range some("moody") {
		moods[user(i)] = mood(rapid.IntRange(1, int(renames)).Draw(t, "mood"))
	}
	faults := map[org.Email]fault{}
	for range rapid.IntRange(0, 2).Draw(t, "faults") {
		at := o.Canary + api.MaxLimits*rapid.IntRange(0, 4).Draw(t, "batch")
		faults[user(at)] = rapid.SampledFrom([]fault{refused, forbidden, denied, throttled, lost, cut, lying}).Draw(t, "fault")
	}
	return func() *office {
		office := newOffice()
		office.moods = moods
		office.malformed = map[org.Email]bool{}
		for _, i := range malformed {
			office.malformed[user(i)] = true
		}
		for e, f := range faults {
			office.faults[e] = f
		}
		return office
	}
}

func drawOptions(t *rapid.T) Options {
	o := Options{
		Parallel: rapid.IntRange(0, 6).Draw(t, "parallel"),
		Canary:   rapid.SampledFrom([]int{0, 0, 1, 10, 100}).Draw(t, "canary"),
		Bisect:   rapid.Bool().Draw(t, "bisect"),
	}
	if rapid.Bool().Draw(t, "max errors") {
		o.MaxErrors = new(rapid.SampledFrom([]float64{0, 0.01, 0.5, 1}).Draw(t, "ratio"))
	}
	return o
}

// TestControls holds for any answers, options, interruption and failure of the ledger:
// every entry is in exactly one list, in the plan's order; the list tells the truth about
// the service; the ledger never claims what the service does not have; nothing is sent
// again after it was confirmed; and no more is under way than allowed.
func TestControls(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 520).Draw(t, "limits")
		p, options := planOf(n, nil), drawOptions(t)
		open := drawOffice(t, n, options)
		o := open()
		o.failAt = rapid.SampledFrom([]int{0, 0, 0, 1, 2, 3, 4, 7, 10}).Draw(t, "ledger fails at")
		stopAt := rapid.SampledFrom([]int{0, 0, 0, 1, 2, 3, 5}).Draw(t, "interrupted in request")
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		o.onRequest = func(n int) {
			if n == stopAt {
				cancel()
			}
			runtime.Gosched()
		}
		settled := 0
		options.Progress = func(n, total int) {
			if n <= settled || n > total || total != p.Changes() {
				t.Fatalf("progress went from %d to %d of %d", settled, n, total)
			}
			settled = n
		}
		report, err := o.do(ctx, p, options)
		checkAccount(t, p, report, err)
		checkTruth(t, o, p, report)
		checkBounds(t, o, n, options, report)
		if settled != n-len(report.Limits.NotAttempted) {
			t.Fatalf("progress ends at %d, %d of %d were not attempted", settled, len(report.Limits.NotAttempted), n)
		}
		if err != nil || options.MaxErrors != nil {
			return
		}
		slow := open()
		again, err := slow.do(context.Background(), p, Options{Canary: options.Canary, Bisect: options.Bisect})
		if diff := cmp.Diff(again, report); diff != "" || err != nil {
			t.Fatalf("one by one is another report (-one by one +parallel), %v:\n%s", err, diff)
		}
	})
}

// checkTruth holds what the report and the ledger say against what the service has.
func checkTruth(t *rapid.T, o *office, p *plan.Plan, r *Report) {
	t.Helper()
	if o.wrong != "" {
		t.Fatal(o.wrong)
	}
	for _, l := range r.Limits.Set {
		if got, ok := o.has[org.Email(l.Email)]; !ok || got != l.Limit {
			t.Fatalf("%s = %d is reported as set, the service has %d, %t", l.Email, l.Limit, got, ok)
		}
	}
	for _, l := range r.Limits.Refused {
		if _, ok := o.has[org.Email(l.Email)]; ok || l.Error == "" {
			t.Fatalf("%s is reported as refused (%s), the service has it: %t", l.Email, l.Error, ok)
		}
	}
	for _, l := range r.Limits.NotAttempted {
		if o.asked[org.Email(l.Email)] {
			t.Fatalf("%s is reported as not attempted and was sent", l.Email)
		}
	}
	set := map[org.Email]bool{}
	for _, l := range r.Limits.Set {
		set[org.Email(l.Email)] = true
	}
	for email, k := range ledger.Fold(o.records, p.Target).Limits.All() {
		if k.Grade == org.Confirmed && (o.has[email] != k.Credits || !set[email]) {
			t.Fatalf("the ledger claims %s = %d, the service has %d, reported as set: %t", email, k.Credits, o.has[email], set[email])
		}
	}
	if len(o.open) > 0 && o.failAt == 0 {
		t.Fatalf("%d intentions have no outcome", len(o.open))
	}
}

// checkBounds holds what the options promise.
func checkBounds(t *rapid.T, o *office, n int, options Options, r *Report) {
	t.Helper()
	if o.most > max(1, options.Parallel) {
		t.Fatalf("%d requests together, %d are allowed", o.most, options.Parallel)
	}
	most := (n + api.MaxLimits - 1) / api.MaxLimits
	if options.Canary > 0 {
		most++
	}
	if options.Bisect {
		most += maxHalves
	}
	if o.requests > most {
		t.Fatalf("%d requests, at most %d are allowed", o.requests, most)
	}
	canary := min(options.Canary, n)
	confirmed := 0
	for _, l := range r.Limits.Set {
		if org.Email(l.Email) < user(canary) {
			confirmed++
		}
	}
	if confirmed < canary && o.requests > 1 {
		t.Fatalf("%d of %d canaries are confirmed and %d requests were sent", confirmed, canary, o.requests)
	}
}

// TestParallel watches 1,000 limits on their way: the first batch alone, then as many as
// allowed, and a report in the order of the plan although the last come back first.
func TestParallel(t *testing.T) {
	t.Parallel()
	for parallel, want := range map[int]time.Duration{0: 1000 * time.Millisecond, 1: 1000 * time.Millisecond, 3: 400 * time.Millisecond, 4: 400 * time.Millisecond, 9: 200 * time.Millisecond, 16: 200 * time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			o := newOffice()
			o.latency = map[org.Email]time.Duration{}
			for i := range 10 {
				o.latency[user(100*i)] = 100*time.Millisecond - time.Duration(i)
			}
			began := time.Now()
			report, err := o.do(t.Context(), planOf(1000, nil), Options{Parallel: parallel})
			if err != nil || report.Result != ResultApplied || o.requests != 10 || o.wrong != "" {
				t.Errorf("parallel %d: %s, %v, %d requests, %s", parallel, report.Result, err, o.requests, o.wrong)
			}
			if took := time.Since(began).Round(10 * time.Millisecond); took != want {
				t.Errorf("parallel %d took %v, want %v", parallel, took, want)
			}
			for i, l := range report.Limits.Set {
				if l.Email != string(user(i)) {
					t.Fatalf("parallel %d: entry %d is %s", parallel, i, l.Email)
				}
			}
		})
	}
}

// TestFailureAmongOthers holds that a failed batch stops those not yet sent, that those
// under way are finished and recorded, and that of two failures the first in the plan is
// the reason whichever came first.
func TestFailureAmongOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newOffice()
		o.faults = map[org.Email]fault{user(200): throttled, user(300): lost}
		o.latency = map[org.Email]time.Duration{
			user(100): 9 * time.Second, user(200): 8 * time.Second, user(300): time.Second, user(400): 2 * time.Second,
		}
		report, err := o.do(t.Context(), planOf(900, nil), Options{Parallel: 4})
		l := report.Limits
		if len(l.Set) != 300 || len(l.Refused) != 100 || len(l.Unknown) != 100 || len(l.NotAttempted) != 400 || o.requests != 5 {
			t.Errorf("set %d, refused %d, unknown %d, not attempted %d in %d requests", len(l.Set), len(l.Refused), len(l.Unknown), len(l.NotAttempted), o.requests)
		}
		if err == nil || !strings.Contains(report.Reason, "status 429") || strings.Contains(report.Reason, "reset") {
			t.Errorf("the reason is %q", report.Reason)
		}
		if len(o.records) != 10 || o.wrong != "" {
			t.Errorf("%d records; %s", len(o.records), o.wrong)
		}
	})
}

// TestLedgerFailsAmongOthers holds that a ledger that cannot be written stays the reason,
// whichever batch fails after it.
func TestLedgerFailsAmongOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newOffice()
		o.faults = map[org.Email]fault{user(200): throttled, user(400): throttled}
		o.latency = map[org.Email]time.Duration{user(100): 9 * time.Second, user(200): 8 * time.Second, user(300): time.Second}
		report, err := Run(t.Context(), worker{office: o}, forgetful{o, user(300)}, planOf(500, nil), Options{Parallel: 4})
		l := report.Limits
		if !errors.Is(err, ErrLedger) || !strings.Contains(report.Reason, "disk full") {
			t.Errorf("the reason is %q", report.Reason)
		}
		if len(l.Set) != 300 || len(l.Refused) != 200 {
			t.Errorf("set %d, refused %d, unknown %d, not attempted %d", len(l.Set), len(l.Refused), len(l.Unknown), len(l.NotAttempted))
		}
	})
}

// TestNoLedgerNoCanary holds that a canary that could not be recorded says so and nothing
// about the service.
func TestNoLedgerNoCanary(t *testing.T) {
	t.Parallel()
	o := newOffice()
	o.failAt = 1
	report, err := o.do(t.Context(), planOf(20, nil), Options{Canary: 5, MaxErrors: new(0.0)})
	if !errors.Is(err, ErrLedger) || errors.Is(err, ErrCaution) || len(report.Limits.NotAttempted) != 20 || o.requests != 0 {
		t.Errorf("%v after %d requests", err, o.requests)
	}
}

// forgetful is a ledger that cannot keep one outcome.
type forgetful struct {
	*office
	of org.Email // the first one that it sets
}

func (f forgetful) Append(ctx context.Context, r ledger.Record) (ledger.Record, error) {
	if len(r.Set) > 0 && r.Set[0] == f.of {
		return r, errors.New("disk full")
	}
	return f.office.Append(ctx, r)
}

// TestUnproven holds that a service which confirms nothing is asked one batch at a time.
func TestUnproven(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newOffice()
		o.faults = map[org.Email]fault{user(0): lying, user(100): lying}
		o.latency = map[org.Email]time.Duration{}
		for i := range 6 {
			o.latency[user(100*i)] = time.Second
		}
		report, err := o.do(t.Context(), planOf(600, nil), Options{Parallel: 6})
		if err != nil || len(report.Limits.Set) != 400 || len(report.Limits.Unknown) != 200 || o.wrong != "" {
			t.Errorf("%v: set %d, unknown %d; %s", err, len(report.Limits.Set), len(report.Limits.Unknown), o.wrong)
		}
	})
}

// TestMalformed is which errors say that a request was read, found wrong and not done.
func TestMalformed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want bool
	}{
		{&api.Error{Status: 400}, true},
		{fmt.Errorf("put: %w", &api.Error{Status: 400}), true},
		{&api.Error{Status: 400, Ambiguous: true}, false}, // an attempt before it may have been carried out
		{&api.Error{Status: 413}, false}, {&api.Error{}, false}, {errors.New("x"), false}, {nil, false},
	} {
		if got := malformed(c.err); got != c.want {
			t.Errorf("malformed(%v) = %t", c.err, got)
		}
	}
}

// TestCanary holds that nothing follows a canary that is not entirely confirmed.
func TestCanary(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name            string
		mood            mood
		f               fault
		set, ref, unkn  int
		rest            int
		caution, follow bool
	}{
		{"confirmed", honest, fine, 250, 0, 0, 0, false, true},
		{"one refused", refuses, fine, 9, 1, 0, 240, true, false},
		{"one not mentioned", silent, fine, 9, 0, 1, 240, true, false},
		{"one of another value", clamps, fine, 9, 0, 1, 240, true, false},
		{"malformed", honest, refused, 0, 10, 0, 240, false, false},
		{"lost", honest, lost, 0, 0, 10, 240, false, false},
	} {
		o := newOffice()
		o.moods = map[org.Email]mood{user(3): c.mood}
		o.faults[user(0)] = c.f
		report, err := o.do(t.Context(), planOf(250, nil), Options{Parallel: 4, Canary: 10, Bisect: true})
		l := report.Limits
		if len(l.Set) != c.set || len(l.Refused) != c.ref || len(l.Unknown) != c.unkn || len(l.NotAttempted) != c.rest {
			t.Errorf("%s: set %d, refused %d, unknown %d, not attempted %d", c.name, len(l.Set), len(l.Refused), len(l.Unknown), len(l.NotAttempted))
		}
		if errors.Is(err, ErrCaution) != c.caution || (err == nil) != c.follow || (o.requests == 4) != c.follow {
			t.Errorf("%s: %v after %d requests", c.name, err, o.requests)
		}
	}
}

// TestMaxErrors holds that the share is of what was asked so far and must be exceeded.
func TestMaxErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		most     *float64
		refused  int // of the first batch
		second   int // of the second batch
		requests int
	}{
		{nil, 100, 100, 5}, {new(0.0), 0, 0, 5}, {new(0.0), 1, 0, 1}, {new(0.05), 5, 5, 5}, {new(0.05), 6, 0, 1},
		{new(0.05), 4, 7, 2}, {new(1.0), 100, 100, 5}, {new(0.5), 0, 100, 5}, {new(0.49), 0, 100, 2},
	} {
		o := newOffice()
		o.moods = map[org.Email]mood{}
		for i := range c.refused {
			o.moods[user(i)] = []mood{refuses, clamps}[i%2]
		}
		for i := range c.second {
			o.moods[user(100+i)] = refuses
		}
		report, err := o.do(t.Context(), planOf(500, nil), Options{MaxErrors: c.most})
		if o.requests != c.requests || errors.Is(err, ErrCaution) != (c.requests < 5) || (report.Reason == "") != (c.requests == 5) {
			t.Errorf("%d and %d refused: %d requests, want %d; %v", c.refused, c.second, o.requests, c.requests, err)
		}
		if c.requests < 5 && !strings.Contains(report.Reason, fmt.Sprintf("more than %g%%", *c.most*100)) {
			t.Errorf("the reason is %q", report.Reason)
		}
	}
}

// TestBisect holds that the malformed entries of a batch are found and the rest is set,
// within the number of requests that finding them takes.
func TestBisect(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n        int
		bad      []int
		requests int
	}{
		{1, []int{0}, 1}, {2, []int{0}, 3}, {100, []int{0}, 13}, {100, []int{99}, 15}, {250, []int{110, 111}, 3 + 18},
	} {
		for _, parallel := range []int{1, 4} {
			o := newOffice()
			o.malformed = map[org.Email]bool{}
			for _, i := range c.bad {
				o.malformed[user(i)] = true
			}
			report, err := o.do(t.Context(), planOf(c.n, nil), Options{Bisect: true, Parallel: parallel})
			l := report.Limits
			if err != nil || len(l.Set) != c.n-len(c.bad) || len(l.Refused) != len(c.bad) || o.wrong != "" {
				t.Errorf("%d with %v: set %d, refused %d, %v, %s", c.n, c.bad, len(l.Set), len(l.Refused), err, o.wrong)
			}
			if o.requests > c.requests {
				t.Errorf("%d with %v took %d requests, want at most %d", c.n, c.bad, o.requests, c.requests)
			}
			if len(o.records) != 2*o.requests {
				t.Errorf("%d records of %d requests", len(o.records), o.requests)
			}
		}
	}
	all := newOffice()
	all.malformed = map[org.Email]bool{}
	for i := range 1000 {
		all.malformed[user(i)] = true
	}
	report, err := all.do(t.Context(), planOf(1000, nil), Options{Bisect: true, Parallel: 4})
	if !errors.Is(err, ErrCaution) || all.requests > maxHalves+2 || len(report.Limits.Refused) != 200 || len(report.Limits.NotAttempted) != 800 {
		t.Errorf("everything malformed: %v after %d requests; %d refused, %d not attempted", err, all.requests, len(report.Limits.Refused), len(report.Limits.NotAttempted))
	}
	plain := newOffice()
	plain.malformed = map[org.Email]bool{user(7): true}
	report, err = plain.do(t.Context(), planOf(150, nil), Options{Parallel: 4})
	if err == nil || plain.requests != 1 || len(report.Limits.Refused) != 100 || len(report.Limits.NotAttempted) != 50 {
		t.Errorf("without bisect: %v after %d requests, %d refused", err, plain.requests, len(report.Limits.Refused))
	}
}

// TestHalvesLeftBehind holds that halves which are not sent any more stay refused with
// their batch.
func TestHalvesLeftBehind(t *testing.T) {
	t.Parallel()
	o := newOffice()
	o.malformed = map[org.Email]bool{user(60): true}
	o.faults[user(0)] = refused
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o.onRequest = func(n int) {
		if n == 1 {
			cancel()
		}
	}
	report, err := o.do(ctx, planOf(120, nil), Options{Bisect: true})
	if !errors.Is(err, context.Canceled) || len(report.Limits.Refused) != 100 || len(report.Limits.NotAttempted) != 20 {
		t.Errorf("%v: %d refused, %d not attempted", err, len(report.Limits.Refused), len(report.Limits.NotAttempted))
	}
}

// TestDropped holds that a request given up between two attempts was not attempted, in
// the report as in the ledger, and that the run counts as interrupted.
func TestDropped(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	o := newOffice()
	o.faults[user(100)] = dropped
	o.onRequest = func(n int) {
		if n == 2 {
			cancel()
		}
	}
	report, err := o.do(ctx, planOf(200, nil), Options{Parallel: 4})
	if report.Result != ResultInterrupted || !errors.Is(err, context.Canceled) || len(report.Limits.Set) != 100 || len(report.Limits.NotAttempted) != 100 {
		t.Errorf("%s, %v: %d set, %d not attempted", report.Result, err, len(report.Limits.Set), len(report.Limits.NotAttempted))
	}
	if got := o.records[3]; len(got.NotSent) != 100 || len(got.Refused)+len(got.Unknown) > 0 {
		t.Errorf("recorded as %+v", got)
	}

	ctx, cancel = context.WithCancel(t.Context())
	w := &world{next: []fault{dropped}, onRequest: cancel}
	report, err = Run(ctx, w, w, planOf(0, []plan.ComputerChange{{Action: plan.ActionUpdate, Name: "m", ID: "cmp_m"}}), Options{})
	if report.Result != ResultInterrupted || err == nil || report.Computers[0].Result != NotAttempted || w.records[1].Computer.Result != ledger.NotSent {
		t.Errorf("%s, %v: %+v, recorded as %+v", report.Result, err, report.Computers, w.records[1].Computer)
	}
}

// TestPermissions holds that a 403 for a computer is about that computer, and that a 401
// is about everything.
func TestPermissions(t *testing.T) {
	t.Parallel()
	machine := func(name string) plan.ComputerChange {
		return plan.ComputerChange{Action: plan.ActionUpdate, Name: name, ID: "cmp_" + name}
	}
	for f, goesOn := range map[fault]bool{denied: true, throttled: true, forbidden: false, cut: false} {
		w := &world{next: []fault{f}}
		report, err := w.run(t, planOf(10, []plan.ComputerChange{machine("a"), machine("b")}, "ses_1"))
		if (len(report.Limits.Set) == 10) != goesOn || (report.Computers[1].Result == Done) != goesOn || (report.Sessions[0].Result == Done) != goesOn || (err == nil) != goesOn {
			t.Errorf("fault %d: goes on: %v, want %v: %+v", f, err, goesOn, report)
		}
	}
	w := &world{next: []fault{fine, denied, fine}}
	report, err := w.run(t, planOf(0, nil, "s1", "s2", "s3"))
	if err != nil || report.Sessions[1].Result != Failed || report.Sessions[2].Result != Done {
		t.Errorf("%v: %+v", err, report.Sessions)
	}
}
