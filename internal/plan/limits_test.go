package plan

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/org"
)

// TestLimitActions is every grade against every relation of the wanted value to the
// last confirmed one.
func TestLimitActions(t *testing.T) {
	t.Parallel()
	unset := LimitBefore{Grade: org.NeverSet}
	unknown := LimitBefore{Grade: org.Unknown}
	was := func(g org.Grade, value int64, ago time.Duration) LimitBefore {
		return LimitBefore{Grade: g, Value: value, At: now.Add(-ago)}
	}
	for _, c := range []struct {
		name     string
		known    *org.KnownLimit // nil: not in the ledger
		want     int64
		reassert time.Duration
		action   string // "" for unchanged
		before   LimitBefore
		note     string
	}{
		{name: "not in the ledger", want: 5, action: ActionSet, before: unset},
		{name: "not in the ledger, zero", want: 0, action: ActionSet, before: unset},
		{name: "never set", known: &org.KnownLimit{Grade: org.NeverSet, Credits: 5}, want: 5, action: ActionSet, before: unset},
		{name: "unknown", known: &org.KnownLimit{Grade: org.Unknown, Credits: 5}, want: 5, action: ActionSet, before: unknown},
		{name: "confirmed and equal", known: new(confirmed("ada", 5, day)), want: 5, reassert: 30 * day},
		{name: "confirmed zero and equal", known: new(confirmed("ada", 0, day)), want: 0},
		{name: "confirmed and more", known: new(confirmed("ada", 5, day)), want: 6, action: ActionRaise, before: was(org.Confirmed, 5, day)},
		{name: "confirmed and less", known: new(confirmed("ada", 5, day)), want: 4, action: ActionLower, before: was(org.Confirmed, 5, day)},
		{name: "largest", known: new(confirmed("ada", org.MaxCredits-1, day)), want: org.MaxCredits, action: ActionRaise, before: was(org.Confirmed, org.MaxCredits-1, day)},
		{name: "exactly as old as allowed", known: new(confirmed("ada", 5, 30*day)), want: 5, reassert: 30 * day},
		{name: "older", known: new(confirmed("ada", 5, 30*day+1)), want: 5, reassert: 30 * day, action: ActionReassert, before: was(org.Expired, 5, 30*day+1)},
		{name: "old without reassert_after", known: new(confirmed("ada", 5, 3000*day)), want: 5},
		{name: "older and more", known: new(confirmed("ada", 5, 31*day)), want: 6, reassert: 30 * day, action: ActionRaise, before: was(org.Expired, 5, 31*day)},
		{name: "older and less", known: new(confirmed("ada", 5, 31*day)), want: 4, reassert: 30 * day, action: ActionLower, before: was(org.Expired, 5, 31*day)},
		{name: "confirmed in the future", known: new(confirmed("ada", 5, -day)), want: 5, reassert: day},
		{name: "rejoined", known: &org.KnownLimit{Grade: org.Confirmed, Credits: 5, At: now, UserID: "u_old"}, want: 5,
			action: ActionSet, before: unknown, note: "rejoined: ada@example.com=u_old -> u_ada"},
		{name: "no id recorded", known: &org.KnownLimit{Grade: org.Confirmed, Credits: 5, At: now}, want: 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in := limitsInput([]org.Member{member("ada")}, limit("ada", c.want))
			in.Want.ReassertAfter = c.reassert
			if c.known != nil {
				remember(&in, "ada@example.com", *c.known)
			}
			p := Make(in)
			var want []LimitChange
			if c.action != "" {
				want = []LimitChange{{
					Action: c.action, Email: "ada@example.com", SendAs: "ada@Example.com", UserID: "u_ada", Before: c.before, After: c.want,
					Why: "users", Source: org.Source{File: "limits.hcl", Line: 9, Column: 5},
				}}
			}
			if diff := cmp.Diff(want, p.Limits); diff != "" {
				t.Errorf("limits (-want +got):\n%s", diff)
			}
			count := map[string]*int{
				ActionSet: &p.Summary.Limits.Set, ActionRaise: &p.Summary.Limits.Raise, ActionLower: &p.Summary.Limits.Lower,
				ActionReassert: &p.Summary.Limits.Reassert, "": &p.Summary.Limits.Unchanged,
			}
			if *count[c.action] != 1 {
				t.Errorf("summary %+v does not count one %q", p.Summary.Limits, c.action)
			}
			if c.note == "" {
				wantNotes(t, p)
			} else {
				wantNotes(t, p, c.note)
			}
		})
	}
}

// TestLimitsOfWhom is about members: who is missing, ambiguous, moved, forgotten.
func TestLimitsOfWhom(t *testing.T) {
	t.Parallel()
	ada, bob := member("ada"), member("bob")
	twin := org.Member{ID: "u_twin", Email: ada.Email, Spelling: "ADA@example.com"}
	for _, c := range []struct {
		name  string
		in    Input
		edit  func(*Input)
		sent  []string // SendAs
		notes []string
	}{
		{name: "spelling of the service is sent", in: limitsInput([]org.Member{ada, bob}, limit("ada", 1), limit("bob", 2)), sent: []string{"ada@Example.com", "bob@Example.com"}},
		{name: "not in the organization", in: limitsInput([]org.Member{ada}, limit("ada", 1), limit("eve", 2)), sent: []string{"ada@Example.com"},
			notes: []string{"not_in_organization: eve@example.com=users"}},
		{name: "empty organization", in: limitsInput(nil, limit("ada", 1)), notes: []string{"not_in_organization: ada@example.com=users"}},
		{name: "two accounts, one folded address", in: limitsInput([]org.Member{ada, twin, bob}, limit("ada", 1), limit("bob", 1)), sent: []string{"bob@Example.com"},
			notes: []string{"ambiguous_address: ada@example.com="}},
		{name: "three accounts, one folded address", in: limitsInput([]org.Member{ada, twin, {ID: "u_3", Email: ada.Email, Spelling: "aDa@example.com"}}, limit("ada", 1)),
			notes: []string{"ambiguous_address: ada@example.com="}},
		{name: "one account listed twice", in: limitsInput([]org.Member{ada, ada}, limit("ada", 1)), sent: []string{"ada@Example.com"}},
		{name: "address changed", in: limitsInput([]org.Member{{ID: "u_eve", Email: "new@example.com", Spelling: "New@example.com"}}, limit("eve", 1)),
			edit:  func(in *Input) { remember(in, "eve@example.com", confirmed("eve", 1, day)) },
			notes: []string{"address_changed: eve@example.com=u_eve now has New@example.com", "not_in_organization: eve@example.com=users"}},
		{name: "forgotten", in: limitsInput([]org.Member{ada, bob}, limit("bob", 1)),
			edit: func(in *Input) {
				remember(in, "ada@example.com", confirmed("ada", 7, day))
				remember(in, "eve@example.com", org.KnownLimit{Grade: org.Unknown})
				remember(in, "zoe@example.com", org.KnownLimit{Grade: org.NeverSet})
			},
			sent:  []string{"bob@Example.com"},
			notes: []string{"forgotten: ada@example.com=7 credits, last set by govctl 2026-11-19T09:00:00Z", "forgotten: eve@example.com=last outcome unknown"}},
		{name: "nothing declared is not remove all", in: Input{Last: org.Known{Limits: org.LimitsOf(map[org.Email]org.KnownLimit{"ada@example.com": confirmed("ada", 7, day)})}, Now: now},
			notes: []string{"forgotten: ada@example.com=7 credits, last set by govctl 2026-11-19T09:00:00Z"}},
		{name: "unlisted, report", in: limitsInput([]org.Member{ada, bob}, limit("ada", 1)), edit: func(in *Input) { in.Want.Unlisted = []org.Email{"bob@example.com"} },
			sent: []string{"ada@Example.com"}, notes: []string{"unlisted: bob@example.com="}},
		{name: "unlisted, error", in: limitsInput([]org.Member{bob}), edit: func(in *Input) {
			in.Want.Unlisted, in.Want.UnlistedMode = []org.Email{"bob@example.com"}, "error"
		}, notes: []string{"unlisted!: bob@example.com="}},
		{name: "unlisted, ignore", in: limitsInput([]org.Member{bob}), edit: func(in *Input) {
			in.Want.Unlisted, in.Want.UnlistedMode = []org.Email{"bob@example.com"}, "ignore"
		}},
		{name: "nobody unlisted", in: limitsInput([]org.Member{bob}), edit: func(in *Input) { in.Want.UnlistedMode = "error" }},
		{name: "ignored", in: limitsInput([]org.Member{bob}), edit: func(in *Input) { in.Want.Ignored = 3 }, notes: []string{"ignored"}},
		{name: "member without address", in: limitsInput([]org.Member{bob, {ID: "u_bot"}}, limit("bob", 1)), sent: []string{"bob@Example.com"}, notes: []string{"no_address: u_bot="}},
		{name: "selected", in: limitsInput([]org.Member{ada, bob}, limit("ada", 1), limit("bob", 1)), edit: func(in *Input) {
			in.Selection.Target = []string{"limit/Ada@example.com"}
			in.Want.Unlisted = []org.Email{"zoe@example.com"}
			remember(in, "eve@example.com", org.KnownLimit{Grade: org.Unknown})
		}, sent: []string{"ada@Example.com"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.edit != nil {
				c.edit(&c.in)
			}
			p := Make(c.in)
			var sent []string
			for _, l := range p.Limits {
				sent = append(sent, l.SendAs)
			}
			if diff := cmp.Diff(c.sent, sent); diff != "" {
				t.Errorf("sent (-want +got):\n%s", diff)
			}
			wantNotes(t, p, c.notes...)
			if !p.Complete() {
				t.Errorf("incomplete: %v", p.Incomplete)
			}
		})
	}
}

// TestLimitsWithoutMembers holds that a member list nobody read makes the plan
// incomplete and nobody "not in organization" (s2).
func TestLimitsWithoutMembers(t *testing.T) {
	t.Parallel()
	in := limitsInput(nil, limit("ada", 1))
	in.Have.MembersRead = false
	p := Make(in)
	if diff := cmp.Diff([]org.Gap{{Fact: "members", Error: "not read"}}, p.Incomplete); diff != "" {
		t.Errorf("incomplete (-want +got):\n%s", diff)
	}
	wantNotes(t, p)
	if len(p.Limits) != 1 || p.Limits[0].SendAs != "ada@example.com" || p.Basis.Members != "" {
		t.Errorf("limits %+v, members digest %q", p.Limits, p.Basis.Members)
	}
	in.Have.Gaps = []org.Gap{{Fact: "members", Error: "status 500"}}
	if diff := cmp.Diff(in.Have.Gaps, Make(in).Incomplete); diff != "" {
		t.Errorf("a gap that is known is not repeated (-want +got):\n%s", diff)
	}
}

// TestRequests holds what the summary promises apply will send.
func TestRequests(t *testing.T) {
	t.Parallel()
	for limits, want := range map[int]int{0: 0, 1: 1, MaxBatch: 1, MaxBatch + 1: 2, 250: 3} {
		var members []org.Member
		var wanted []org.Limit
		for i := range limits {
			name := string(rune('a'+i/26)) + string(rune('a'+i%26))
			members, wanted = append(members, member(name)), append(wanted, limit(name, 1))
		}
		if got := Make(limitsInput(members, wanted...)).Summary.Requests; got != want {
			t.Errorf("%d limits take %d requests, want %d", limits, got, want)
		}
	}
	p := &Plan{
		Summary:  Summary{Computers: ComputerSummary{Create: 2, Update: 3, RetryInstall: 5, Blocked: 1}},
		Sessions: make([]SessionChange, 7), Computers: make([]ComputerChange, 11),
	}
	if got, want := p.requests(), 2*3+3+5+2*7; got != want {
		t.Errorf("requests = %d, want %d", got, want)
	}
	if got, want := p.Changes(), 10+7; got != want {
		t.Errorf("changes = %d, want %d", got, want)
	}
}
