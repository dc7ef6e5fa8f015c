package apply

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
)

// TestJudge holds principle 3: each entry asked for is exactly one of set, refused and
// unknown, by the answer's body.
func TestJudge(t *testing.T) {
	t.Parallel()
	batch := []plan.LimitChange{
		{Email: "ada@example.com", SendAs: "Ada@Example.com", After: 10},
		{Email: "jürgen@example.com", SendAs: "ju\u0308rgen@example.com", After: 20}, // the key is in NFC, the spelling is not
	}
	ok := func(email string, limit int64) api.Limit { return api.Limit{Email: email, Limit: limit} }
	bad := func(email, why string) api.LimitError { return api.LimitError{Email: email, Error: why} }
	ada := func(why string) LimitOutcome { return LimitOutcome{Email: "ada@example.com", Limit: 10, Error: why} }
	jur := func(why string) LimitOutcome {
		return LimitOutcome{Email: "jürgen@example.com", Limit: 20, Error: why}
	}
	const silent = "the service did not mention it in its answer"
	for _, c := range []struct {
		name    string
		updated []api.Limit
		errors  []api.LimitError
		want    verdict
	}{
		{"all set", []api.Limit{ok("Ada@Example.com", 10), ok("ju\u0308rgen@example.com", 20)}, nil, verdict{set: []LimitOutcome{ada(""), jur("")}}},
		{"in another order and spelling", []api.Limit{ok("jürgen@EXAMPLE.com", 20), ok(" ada@example.com ", 10)}, nil, verdict{set: []LimitOutcome{ada(""), jur("")}}},
		{"empty answer", nil, nil, verdict{unknown: []LimitOutcome{ada(silent), jur(silent)}}},
		{"one missing", []api.Limit{ok("ada@example.com", 10)}, nil, verdict{set: []LimitOutcome{ada("")}, unknown: []LimitOutcome{jur(silent)}}},
		{"partial failure", []api.Limit{ok("ada@example.com", 10)}, []api.LimitError{bad("ju\u0308rgen@example.com", "user not found in organization")},
			verdict{set: []LimitOutcome{ada("")}, refused: []LimitOutcome{jur("user not found in organization")}}},
		{"no reason", nil, []api.LimitError{bad("ada@example.com", ""), bad("jürgen@example.com", "x")},
			verdict{refused: []LimitOutcome{ada("the service gave no reason"), jur("x")}}},
		{"refused twice", []api.Limit{ok("jürgen@example.com", 20)}, []api.LimitError{bad("ada@example.com", "first"), bad("ada@example.com", "second")},
			verdict{set: []LimitOutcome{jur("")}, refused: []LimitOutcome{ada("first")}}},
		{"extra", []api.Limit{ok("ada@example.com", 10), ok("jürgen@example.com", 20), ok("eve@example.com", 1)}, []api.LimitError{bad("bob@example.com", "no")},
			verdict{set: []LimitOutcome{ada(""), jur("")}, warnings: []string{
				"the service reports a limit nobody asked for: eve@example.com = 1", "the service reports an error for an address nobody asked for: bob@example.com: no"}}},
		{"duplicated", []api.Limit{ok("ada@example.com", 10), ok("Ada@Example.com", 10), ok("jürgen@example.com", 20)}, nil, verdict{set: []LimitOutcome{ada(""), jur("")}}},
		{"duplicated with another value", []api.Limit{ok("ada@example.com", 10), ok("ada@example.com", 11), ok("jürgen@example.com", 20)}, nil,
			verdict{set: []LimitOutcome{jur("")}, unknown: []LimitOutcome{ada("the service acknowledged 11 instead")}}},
		{"clamped", []api.Limit{ok("ada@example.com", 10), ok("jürgen@example.com", 19)}, nil,
			verdict{set: []LimitOutcome{ada("")}, unknown: []LimitOutcome{jur("the service acknowledged 19 instead")}}},
		{"both lists", []api.Limit{ok("ada@example.com", 10), ok("jürgen@example.com", 20)}, []api.LimitError{bad("ada@example.com", "odd")},
			verdict{set: []LimitOutcome{jur("")}, unknown: []LimitOutcome{ada("the service lists it both as updated and as an error: odd")}}},
		{"refused in another spelling, twice", []api.Limit{ok("ada@example.com", 10)}, []api.LimitError{bad("J\u00fcrgen@Example.com", "no seat"), bad(" ju\u0308rgen@example.com", "no seat")},
			verdict{set: []LimitOutcome{ada("")}, refused: []LimitOutcome{jur("no seat")}}},
		{"both lists, in two spellings and with another value", []api.Limit{ok("ADA@example.com", 11), ok("jürgen@example.com", 20)}, []api.LimitError{bad("ada@example.com", "")},
			verdict{set: []LimitOutcome{jur("")}, unknown: []LimitOutcome{ada("the service lists it both as updated and as an error: the service gave no reason")}}},
		{"values exchanged", []api.Limit{ok("ada@example.com", 20), ok("jürgen@example.com", 10)}, nil,
			verdict{unknown: []LimitOutcome{ada("the service acknowledged 20 instead"), jur("the service acknowledged 10 instead")}}},
		{"zero is not the value asked for", []api.Limit{ok("ada@example.com", 0), ok("jürgen@example.com", 20)}, nil,
			verdict{set: []LimitOutcome{jur("")}, unknown: []LimitOutcome{ada("the service acknowledged 0 instead")}}},
		{"another mailbox of the same person", []api.Limit{ok("ada+ci@example.com", 10), ok("a.da@example.com", 10), ok("ada@xn--example.com", 10), ok("", 10)}, nil,
			verdict{unknown: []LimitOutcome{ada(silent), jur(silent)}, warnings: []string{
				"the service reports a limit nobody asked for: ada+ci@example.com = 10", "the service reports a limit nobody asked for: a.da@example.com = 10",
				"the service reports a limit nobody asked for: ada@xn--example.com = 10", "the service reports a limit nobody asked for:  = 10"}}},
		{"Kelvin sign is another address", []api.Limit{ok("\u212Aada@example.com", 10)}, nil,
			verdict{unknown: []LimitOutcome{ada(silent), jur(silent)}, warnings: []string{"the service reports a limit nobody asked for: \u212Aada@example.com = 10"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := judge(batch, api.LimitsResult{Updated: c.updated, Errors: c.errors})
			if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(verdict{}), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
		})
	}
}

// TestJudgeAnything holds for any answer that each entry gets one verdict, that only an
// undisputed acknowledgement of the very value is one, and that every word about
// strangers is heard.
func TestJudgeAnything(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		batch := planOf(rapid.IntRange(1, 5).Draw(t, "asked"), nil).Limits
		address := rapid.Custom(func(t *rapid.T) string {
			email := fmt.Sprintf("user%04d@example.com", rapid.IntRange(0, 6).Draw(t, "who"))
			return rapid.SampledFrom([]string{email, " " + email, "U" + email[1:], "x" + email}).Draw(t, "spelling")
		})
		var answer api.LimitsResult
		for range rapid.IntRange(0, 8).Draw(t, "updated") {
			answer.Updated = append(answer.Updated, api.Limit{Email: address.Draw(t, "email"), Limit: rapid.Int64Range(0, 6).Draw(t, "limit")})
		}
		for range rapid.IntRange(0, 4).Draw(t, "errors") {
			answer.Errors = append(answer.Errors, api.LimitError{Email: address.Draw(t, "email"), Error: rapid.SampledFrom([]string{"", "no"}).Draw(t, "why")})
		}
		v := judge(batch, answer)
		strangers := 0
		known := func(email string) bool {
			return slices.ContainsFunc(batch, func(c plan.LimitChange) bool { return c.Email == org.Fold(email) })
		}
		for _, u := range answer.Updated {
			strangers += map[bool]int{false: 1}[known(u.Email)]
		}
		for _, e := range answer.Errors {
			strangers += map[bool]int{false: 1}[known(e.Email)]
		}
		if len(v.warnings) != strangers {
			t.Fatalf("%d words about strangers, warnings %q", strangers, v.warnings)
		}
		if len(v.set)+len(v.refused)+len(v.unknown) != len(batch) || len(v.notSent) > 0 {
			t.Fatalf("%d entries, verdict %+v", len(batch), v)
		}
		for _, c := range batch {
			right, wrong, failed := 0, 0, 0
			for _, u := range answer.Updated {
				if org.Fold(u.Email) == c.Email && u.Limit == c.After {
					right++
				} else if org.Fold(u.Email) == c.Email {
					wrong++
				}
			}
			for _, e := range answer.Errors {
				if org.Fold(e.Email) == c.Email {
					failed++
				}
			}
			want := &v.unknown
			switch {
			case right > 0 && wrong+failed == 0:
				want = &v.set
			case right+wrong == 0 && failed > 0:
				want = &v.refused
			}
			at := slices.IndexFunc(*want, func(o LimitOutcome) bool { return o.Email == string(c.Email) && o.Limit == c.After })
			if at < 0 || (want == &v.set) != ((*want)[at].Error == "") {
				t.Fatalf("%s was acknowledged %d times, with another value %d, refused %d: %+v", c.Email, right, wrong, failed, v)
			}
		}
	})
}
