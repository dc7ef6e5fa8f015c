package apply

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/govctl/govctl/internal/api"
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
