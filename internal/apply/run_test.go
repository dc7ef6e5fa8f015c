package apply

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/ledger"
	"github.com/govctl/govctl/internal/plan"
)

// TestEveryEntryOnce holds, for any sequence of faults, an interruption at any request
// and a ledger that fails at any record: every planned entry is accounted for exactly
// once, batches are well-formed, and no request went out without its intention.
func TestEveryEntryOnce(t *testing.T) {
	t.Parallel()
	results := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		var computers []plan.ComputerChange
		for i, a := range rapid.SliceOfN(rapid.SampledFrom([]string{plan.ActionCreate, plan.ActionUpdate, plan.ActionRetryInstall, plan.ActionBlocked}), 0, 4).Draw(t, "computers") {
			computers = append(computers, plan.ComputerChange{Action: a, Name: fmt.Sprint("m", i), ID: map[bool]string{true: fmt.Sprint("cmp_m", i)}[a != plan.ActionCreate]})
		}
		p := planOf(rapid.IntRange(0, 350).Draw(t, "limits"), computers, []string{"s1", "s2", "s3"}[:rapid.IntRange(0, 3).Draw(t, "sessions")]...)
		w := &world{
			next:   rapid.SliceOfN(rapid.SampledFrom([]fault{fine, fine, fine, fine, refused, lost, cut, forbidden, lying}), 0, 12).Draw(t, "faults"),
			reads:  rapid.SliceOfN(rapid.SampledFrom([]fault{fine, fine, fine, refused, forbidden}), 0, 6).Draw(t, "reads"),
			failAt: rapid.SampledFrom([]int{0, 0, 0, 1, 2, 3, 4, 5, 8}).Draw(t, "ledger fails at"),
		}
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		stopAt, n := rapid.IntRange(0, 12).Draw(t, "cancel at"), 0
		w.onRequest = func() {
			if n++; n == stopAt {
				cancel()
			}
		}
		settled := 0
		report, err := Run(ctx, w, w, p, Options{Progress: func(n, total int) {
			if n <= settled || n > total {
				t.Fatalf("progress went from %d to %d of %d", settled, n, total)
			}
			settled = n
		}})
		results[report.Result]++
		checkAccount(t, p, report, err)
		checkBatches(t, w)
		checkFrames(t, w)
		if sent := p.Changes() - unattempted(report) + p.Summary.Computers.Blocked; settled != sent {
			t.Fatalf("progress ends at %d, %d entries were attempted", settled, sent)
		}
	})
	// Each single result has a test of its own; here it is enough that luck mixes them.
	if len(results) < 2 {
		t.Errorf("all sequences ended alike: %v", results)
	}
}

// unattempted counts entries that were not sent.
func unattempted(r *Report) int {
	n := len(r.Limits.NotAttempted)
	for _, list := range [][]ObjectOutcome{r.Computers, r.Sessions} {
		for _, o := range list {
			if o.Result == NotAttempted {
				n++
			}
		}
	}
	return n
}

// checkAccount holds that a report has every entry of the plan once, in the plan's
// order within each list, and that its result follows from them.
func checkAccount(t *rapid.T, p *plan.Plan, r *Report, err error) {
	t.Helper()
	seen := map[string]int64{}
	good, bad := 0, 0
	for _, list := range [][]LimitOutcome{r.Limits.Set, r.Limits.Refused, r.Limits.Unknown, r.Limits.NotAttempted} {
		for i, o := range list {
			if _, twice := seen[o.Email]; twice || i > 0 && list[i-1].Email >= o.Email {
				t.Fatalf("%s stands twice or out of order", o.Email)
			}
			seen[o.Email] = o.Limit
		}
	}
	for _, l := range p.Limits {
		if got, found := seen[string(l.Email)]; !found || got != l.After {
			t.Fatalf("%s = %d, found %t, want %d", l.Email, got, found, l.After)
		}
	}
	if len(seen) != len(p.Limits) {
		t.Fatalf("%d limits reported, %d planned", len(seen), len(p.Limits))
	}
	good, bad = len(r.Limits.Set), len(seen)-len(r.Limits.Set)
	var planned, got []string
	for _, c := range p.Computers {
		planned = append(planned, c.Action+" "+c.Name)
	}
	for _, s := range p.Sessions {
		planned = append(planned, "update "+s.ID)
	}
	for _, list := range [][]ObjectOutcome{r.Computers, r.Sessions} {
		for _, o := range list {
			got = append(got, o.Action+" "+o.Name)
			if (o.Result == Failed || o.Result == Unknown) && o.Error == "" {
				t.Fatalf("%s of %s ended %s without a reason", o.Action, o.Name, o.Result)
			}
			if o.Result == Done {
				good++
			} else {
				bad++
			}
		}
	}
	if diff := cmp.Diff(planned, got); diff != "" {
		t.Fatalf("objects (-planned +reported):\n%s", diff)
	}
	switch {
	case (r.Result == ResultNothing) != (good+bad == 0), r.Result == ResultApplied && bad > 0,
		r.Result == ResultFailed && good > 0, r.Result == ResultPartial && (good == 0 || bad == 0),
		r.Result == ResultInterrupted && (bad == 0 || err == nil):
		t.Fatalf("%s with %d good and %d bad", r.Result, good, bad)
	}
	if (err == nil) != (r.Reason == "") {
		t.Fatalf("reason %q, error %v", r.Reason, err)
	}
}

// checkFrames holds that every request stands between its intention and its outcome.
func checkFrames(t *rapid.T, w *world) {
	t.Helper()
	open := ""
	next := 0
	for _, line := range w.log {
		isRecord := next < len(w.records) && len(line) > len(w.records[next].ID) && line[:len(w.records[next].ID)+1] == w.records[next].ID+" "
		if !isRecord {
			if open == "" {
				t.Fatalf("%s was sent without an intention:\n%q", line, w.log)
			}
			continue
		}
		r := w.records[next]
		next++
		switch {
		case r.Kind == ledger.Intention && open == "":
			open = r.ID
		case r.Kind == ledger.Outcome && r.Of == open:
			open = ""
		default:
			t.Fatalf("record %s does not follow:\n%q", line, w.log)
		}
	}
	if open != "" && w.failAt == 0 {
		t.Fatalf("intention %s has no outcome:\n%q", open, w.log)
	}
}

// TestReportNames holds the names of design section 5 and that lists are never null.
func TestReportNames(t *testing.T) {
	t.Parallel()
	full := NewReport("sha256:d")
	full.Limits.Set = []LimitOutcome{{Email: "a@example.com", Limit: 1}}
	full.Limits.Refused = []LimitOutcome{{Email: "b@example.com", Limit: 2, Error: "no"}}
	full.Limits.Unknown = []LimitOutcome{{Email: "c@example.com", Limit: 3, Error: "lost"}}
	full.Limits.NotAttempted = []LimitOutcome{{Email: "d@example.com"}}
	full.Computers = []ObjectOutcome{{Name: "m", Action: plan.ActionCreate, Result: Done, ID: "cmp_1"}}
	full.Sessions = []ObjectOutcome{{Name: "ses_1", Action: plan.ActionUpdate, Result: Failed, ID: "ses_1", Error: "no"}}
	full.Requests, full.Retries, full.DurationMS = 3, 2, 1
	full.conclude(false)
	const none = `"limits":{"set":[],"refused":[],"unknown":[],"not_attempted":[]},"computers":[],"sessions":[],"warnings":[],"requests":0,"retries":0,"duration_ms":0}`
	for _, c := range []struct {
		r    *Report
		want string
	}{
		{NewReport("sha256:d"), `{"format_version":"1.0","result":"nothing","plan_digest":"sha256:d",` + none},
		{Refused(&plan.Plan{Digest: "sha256:d"}, "stale"), `{"format_version":"1.0","result":"refused","reason":"stale","plan_digest":"sha256:d",` + none},
		{full, `{"format_version":"1.0","result":"partial","plan_digest":"sha256:d","limits":{"set":[{"email":"a@example.com","limit":1}],` +
			`"refused":[{"email":"b@example.com","limit":2,"error":"no"}],"unknown":[{"email":"c@example.com","limit":3,"error":"lost"}],` +
			`"not_attempted":[{"email":"d@example.com","limit":0}]},"computers":[{"name":"m","action":"create","result":"done","id":"cmp_1"}],` +
			`"sessions":[{"name":"ses_1","action":"update","result":"failed","id":"ses_1","error":"no"}],"warnings":[],"requests":3,"retries":2,"duration_ms":1}`},
	} {
		got, err := json.Marshal(c.r)
		if diff := cmp.Diff(c.want, string(got)); diff != "" || err != nil {
			t.Errorf("report (-want +got), %v:\n%s", err, diff)
		}
	}
	empty, err := (&world{}).run(t, &plan.Plan{Digest: "sha256:d"})
	if diff := cmp.Diff(NewReport("sha256:d"), empty); diff != "" || err != nil {
		t.Errorf("apply of nothing (-want +got), %v:\n%s", err, diff)
	}
}

// TestRefusedAccounts holds that a refused apply reports every entry as not attempted.
func TestRefusedAccounts(t *testing.T) {
	t.Parallel()
	p := planOf(3, []plan.ComputerChange{{Action: plan.ActionCreate, Name: "a"}}, "ses_1")
	r := Refused(p, "stale")
	if got := unattempted(r); got != 5 || r.Result != ResultRefused || r.Reason != "stale" {
		t.Errorf("%s (%s) with %d not attempted", r.Result, r.Reason, got)
	}
}
