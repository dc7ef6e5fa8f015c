package apply

import (
	"context"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/ledger"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
)

// keeper is a world whose service remembers the limits it really has.
type keeper struct {
	world
	has map[org.Email]int64
}

func (k *keeper) Append(ctx context.Context, r ledger.Record) (ledger.Record, error) {
	r.At = time.Unix(int64(len(k.records)), 0).UTC()
	return k.world.Append(ctx, r)
}

func (k *keeper) PutLimits(_ context.Context, limits []api.Limit) (api.LimitsResult, error) {
	f := k.fault()
	var answer api.LimitsResult
	for i, l := range limits {
		if f.happens() || f == repeated && (i%2 == 0 || i%3 == 0) { // some by the first attempt alone
			k.has[org.Fold(l.Email)] = l.Limit
		}
		switch {
		case f == fine, f == repeated && i%2 == 0:
			answer.Updated = append(answer.Updated, l)
		case f == repeated:
			answer.Errors = append(answer.Errors, api.LimitError{Email: l.Email, Error: "no"})
		}
	}
	return answer, f.err()
}

// TestConverges holds that whatever is lost on the way, the ledger never claims a value
// the service does not have, and a plan after an undisturbed apply is empty.
func TestConverges(t *testing.T) {
	t.Parallel()
	target := org.Target{BaseURL: "https://api.example.com", Organization: "org_1"}
	rapid.Check(t, func(t *rapid.T) {
		k := &keeper{has: map[org.Email]int64{}}
		planNow := func(wanted []org.Limit, members []org.Member) *plan.Plan {
			known := ledger.Fold(k.records, target)
			for e, l := range known.Limits.All() {
				if l.Grade == org.Confirmed && k.has[e] != l.Credits {
					t.Fatalf("the ledger claims %s = %d, the service has %d", e, l.Credits, k.has[e])
				}
			}
			return plan.Make(plan.Input{
				Want: org.Wanted{LimitsDeclared: true, Limits: wanted}, Have: org.Live{Members: members, MembersRead: true}, Last: known, Target: target,
			})
		}
		for range rapid.IntRange(1, 4).Draw(t, "rounds") {
			wanted, members := drawWanted(t)
			k.next = rapid.SliceOfN(rapid.SampledFrom([]fault{fine, refused, lost, cut, lying, repeated}), 0, 3).Draw(t, "faults")
			k.failAt = rapid.SampledFrom([]int{0, 0, len(k.records) + 1, len(k.records) + 2}).Draw(t, "ledger fails at")
			_, _ = Run(context.Background(), k, k, planNow(wanted, members), Options{})
		}
		wanted, members := drawWanted(t)
		k.next, k.failAt = nil, 0
		if report, err := Run(context.Background(), k, k, planNow(wanted, members), Options{}); err != nil || report.Result != ResultApplied && report.Result != ResultNothing {
			t.Fatalf("undisturbed apply: %s, %v", report.Result, err)
		}
		if p := planNow(wanted, members); !p.Empty() {
			t.Fatalf("not empty after an undisturbed apply: %+v", p.Limits)
		}
		for _, l := range wanted {
			if got := k.has[l.Email]; got != l.Credits {
				t.Fatalf("the service has %s = %d, want %d", l.Email, got, l.Credits)
			}
		}
	})
}

// drawWanted wants limits of some of 120 members, more than one batch.
func drawWanted(t *rapid.T) ([]org.Limit, []org.Member) {
	var wanted []org.Limit
	var members []org.Member
	base, step := rapid.Int64Range(0, 2).Draw(t, "base"), rapid.IntRange(1, 3).Draw(t, "step")
	for i := range 120 {
		name := fmt.Sprintf("user%03d@example.com", i)
		members = append(members, org.Member{ID: fmt.Sprint("u_", i), Email: org.Email(name), Spelling: "U" + name[1:]})
		if i%step == 0 {
			wanted = append(wanted, org.Limit{Email: org.Email(name), Credits: base + int64(i%2)})
		}
	}
	return wanted, members
}
