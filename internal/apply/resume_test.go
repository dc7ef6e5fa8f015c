package apply

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/ledger"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
)

// TestResumed applies one plan again and again, whatever goes wrong: nothing confirmed is
// sent again, and with the service well everything is set, each entry in the report once.
func TestResumed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 350).Draw(t, "limits")
		p := planOf(n, nil)
		o := newOffice()
		for range rapid.IntRange(1, 4).Draw(t, "rounds") {
			options := drawOptions(t)
			again := drawOffice(t, n, options)()
			o.moods, o.malformed, o.faults, o.proven, o.open = again.moods, again.malformed, again.faults, false, map[string][]ledger.Limit{}
			o.requests, o.asked = 0, map[org.Email]bool{}
			o.failAt = rapid.SampledFrom([]int{0, 0, len(o.records) + 1, len(o.records) + 2, len(o.records) + 4}).Draw(t, "ledger fails at")
			resumed(t, o, p, options)
		}
		o.moods, o.malformed, o.faults, o.failAt, o.proven = nil, nil, map[org.Email]fault{}, 0, false
		report := resumed(t, o, p, Options{Parallel: 4})
		if report.Result != ResultApplied || len(report.Limits.Set) != n {
			t.Fatalf("a well service: %s, %d of %d set (%s)", report.Result, len(report.Limits.Set), n, report.Reason)
		}
		for i, l := range report.Limits.Set {
			if l.Email != string(user(i)) || o.has[user(i)] != l.Limit {
				t.Fatalf("entry %d is %s = %d, the service has %d", i, l.Email, l.Limit, o.has[user(i)])
			}
		}
		if requests := o.requests; resumed(t, o, p, Options{}).Result != ResultApplied || o.requests != requests {
			t.Fatal("what is applied is sent again")
		}
	})
}

// resumed applies what is left of p.
func resumed(t *rapid.T, o *office, p *plan.Plan, options Options) *Report {
	t.Helper()
	earlier, moved := Resume(p, p, o.records)
	if len(moved) > 0 {
		t.Fatalf("moved: %v", moved)
	}
	recorded := map[org.Email]bool{}
	for _, r := range o.records {
		for _, email := range r.Set {
			recorded[email] = true
		}
	}
	if diff := cmp.Diff(recorded, earlier.Limits); diff != "" {
		t.Fatalf("done (-recorded as set +resumed):\n%s", diff)
	}
	for email := range o.confirmed {
		if !recorded[email] {
			delete(o.confirmed, email) // an answer that was lost or did not convince
		}
	}
	options.Earlier = earlier
	report, err := o.do(context.Background(), p, options)
	checkAccount(t, p, report, err)
	if o.wrong != "" {
		t.Fatal(o.wrong)
	}
	return report
}

// TestResume is what counts as done and what as moved.
func TestResume(t *testing.T) {
	t.Parallel()
	target := org.Target{BaseURL: "https://api.example.com"}
	limit := plan.LimitChange{Action: plan.ActionReassert, Email: "ada@example.com", SendAs: "ada@example.com", After: 5}
	a := plan.ComputerChange{Action: plan.ActionUpdate, Name: "a", ID: "cmp_a", Fields: []plan.Field{{Name: "remote_user", Before: "root", After: "ci"}}}
	b := plan.ComputerChange{Action: plan.ActionCreate, Name: "b", Provider: "byom"}
	other := plan.ComputerChange{Action: plan.ActionUpdate, Name: "a", ID: "cmp_a", Fields: []plan.Field{{Name: "remote_user", Before: "eve", After: "ci"}}}
	s := plan.SessionChange{ID: "ses_1", Fields: []plan.Field{{Name: "model", Before: "old", After: "new"}}}
	saved := &plan.Plan{Digest: "sha256:saved", Target: target, Limits: []plan.LimitChange{limit}, Computers: []plan.ComputerChange{a, b}, Sessions: []plan.SessionChange{s}}
	now := func(change func(*plan.Plan)) *plan.Plan {
		p := *saved
		p.Digest = "sha256:now"
		change(&p)
		return &p
	}
	computers := func(list ...plan.ComputerChange) func(*plan.Plan) {
		return func(p *plan.Plan) { p.Computers = list }
	}
	asked := ledger.Record{ID: "1", Kind: ledger.Intention, Plan: saved.Digest, Target: ledger.TargetOf(target), Limits: []ledger.Limit{{Email: limit.Email, Credits: 5}}}
	begun := func(name string) ledger.Record {
		return ledger.Record{ID: "c" + name, Kind: ledger.Intention, Plan: saved.Digest, Target: ledger.TargetOf(target), Computer: &ledger.Object{Name: name}}
	}
	session := ledger.Record{ID: "s", Kind: ledger.Intention, Plan: saved.Digest, Target: ledger.TargetOf(target), Session: &ledger.Object{ID: "ses_1"}}
	set := ledger.Record{ID: "2", Kind: ledger.Outcome, Of: "1", Set: []org.Email{limit.Email}}
	unknown := ledger.Record{ID: "2", Kind: ledger.Outcome, Of: "1", Unknown: []org.Email{limit.Email}}
	foreign := asked
	foreign.Plan = "sha256:other"
	ada := Earlier{Limits: map[org.Email]bool{limit.Email: true}}
	for _, c := range []struct {
		name    string
		now     *plan.Plan
		records []ledger.Record
		done    Earlier
		moved   string
	}{
		{"nothing happened", saved, nil, Earlier{}, ""},
		{"confirmed", saved, []ledger.Record{asked, set}, ada, ""},
		{"not known", saved, []ledger.Record{asked, unknown}, Earlier{}, ""},
		{"begun", saved, []ledger.Record{asked}, Earlier{}, ""},
		{"confirmed and asked again", saved, []ledger.Record{asked, set, {ID: "3", Kind: ledger.Intention, Plan: saved.Digest, Target: asked.Target, Limits: asked.Limits}}, Earlier{}, ""},
		{"confirmed to another plan", saved, []ledger.Record{foreign, set}, Earlier{}, ""},
		{"computer done", now(computers(b)), []ledger.Record{begun("a")}, Earlier{Computers: map[string]bool{"a": true}}, ""},
		{"computer begun and as it was", saved, []ledger.Record{begun("a")}, Earlier{}, ""},
		{"all computers and the session done", now(func(p *plan.Plan) { p.Computers, p.Sessions = nil, nil }), []ledger.Record{begun("a"), begun("b"), session},
			Earlier{Computers: map[string]bool{"a": true, "b": true}, Sessions: map[string]bool{"ses_1": true}}, ""},
		{"computer not begun is otherwise", now(computers(other, b)), []ledger.Record{begun("b")}, Earlier{}, "facts"},
		{"computer begun and otherwise", now(computers(other, b)), []ledger.Record{begun("a")}, Earlier{}, "facts"},
		{"computer done by somebody", now(computers(b)), nil, Earlier{}, "facts"},
		{"session done by somebody", now(func(p *plan.Plan) { p.Sessions = nil }), []ledger.Record{begun("a")}, Earlier{}, ""},
		{"limit otherwise", now(func(p *plan.Plan) { p.Limits, p.Computers = nil, []plan.ComputerChange{b} }), []ledger.Record{begun("a")}, Earlier{Computers: map[string]bool{"a": true}}, "facts"},
		{"a note, and no computer begun", now(func(p *plan.Plan) { p.Notes = []plan.Note{{Code: "x"}} }), []ledger.Record{asked, set}, ada, "facts"},
		{"a note, and a computer begun", now(func(p *plan.Plan) { p.Notes = []plan.Note{{Code: "x"}} }), []ledger.Record{begun("a")}, Earlier{}, ""},
		{"configuration", now(func(p *plan.Plan) { p.Basis.Config = "x" }), []ledger.Record{asked, set}, ada, "config"},
		{"configuration and computer done", now(func(p *plan.Plan) { p.Basis.Config, p.Computers = "x", []plan.ComputerChange{b} }), []ledger.Record{begun("a")},
			Earlier{Computers: map[string]bool{"a": true}}, "config"},
		{"members", now(func(p *plan.Plan) { p.Basis.Members = "x" }), nil, Earlier{}, "members"},
		{"ledger", now(func(p *plan.Plan) { p.Basis.Ledger.Serial = 7 }), nil, Earlier{}, "ledger"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			done, moved := Resume(saved, c.now, c.records)
			if diff := cmp.Diff(c.done, done, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("done (-want +got):\n%s", diff)
			}
			if c.moved == "" && len(moved) > 0 || c.moved != "" && (len(moved) != 1 || moved[0].Part != c.moved) {
				t.Errorf("moved %v, want %q", moved, c.moved)
			}
		})
	}
}

// TestEarlier holds that what is done is reported and not sent.
func TestEarlier(t *testing.T) {
	t.Parallel()
	w := &world{}
	var progress []string
	p := planOf(3, []plan.ComputerChange{{Action: plan.ActionUpdate, Name: "a", ID: "cmp_a"}, {Action: plan.ActionUpdate, Name: "b", ID: "cmp_b"}}, "s1", "s2")
	report, err := Run(t.Context(), w, w, p, Options{Earlier: Earlier{
		Limits:    map[org.Email]bool{user(1): true},
		Computers: map[string]bool{"a": true}, Sessions: map[string]bool{"s2": true},
	}, Progress: func(settled, total int) { progress = append(progress, fmt.Sprintf("%d/%d", settled, total)) }})
	want := NewReport(p.Digest)
	want.Result = ResultApplied
	want.Limits.Set = []LimitOutcome{{Email: string(user(0))}, {Email: string(user(1)), Limit: 1, Earlier: true}, {Email: string(user(2)), Limit: 2}}
	want.Computers = []ObjectOutcome{
		{Name: "a", Action: plan.ActionUpdate, Result: Done, ID: "cmp_a", Earlier: true}, {Name: "b", Action: plan.ActionUpdate, Result: Done, ID: "cmp_b"},
	}
	want.Sessions = []ObjectOutcome{
		{Name: "s1", Action: plan.ActionUpdate, Result: Done, ID: "s1"}, {Name: "s2", Action: plan.ActionUpdate, Result: Done, ID: "s2", Earlier: true},
	}
	if diff := cmp.Diff(want, report); diff != "" || err != nil {
		t.Errorf("report (-want +got), %v:\n%s", err, diff)
	}
	if diff := cmp.Diff([]string{"1/4", "3/4", "4/4"}, progress); diff != "" {
		t.Errorf("progress (-want +got):\n%s", diff)
	}
	if len(w.records) != 6 || len(w.batches) != 1 || len(w.batches[0]) != 2 {
		t.Errorf("%d records, batches %v", len(w.records), w.batches)
	}
}
