package apply

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/api"
)

// TestDecide holds what becomes of a batch of two: what the service said of the last
// attempt counts as far as an earlier one, of which it said nothing, cannot change it.
func TestDecide(t *testing.T) {
	t.Parallel()
	batch := planOf(2, nil).Limits
	ok := func(i int) api.Limit { return api.Limit{Email: batch[i].SendAs, Limit: batch[i].After} }
	no := api.LimitError{Email: batch[1].SendAs, Error: "no seat"}
	ambiguous := &api.Error{Method: "PUT", Path: "/x", Ambiguous: true, Err: errors.New("reset")}
	one := api.LimitsResult{Updated: []api.Limit{ok(0)}, Errors: []api.LimitError{no}}
	for _, c := range []struct {
		name   string
		answer api.LimitsResult
		err    error
		want   [4]int // set, refused, unknown, not sent
	}{
		{"both set", api.LimitsResult{Updated: []api.Limit{ok(0), ok(1)}}, nil, [4]int{2, 0, 0, 0}},
		{"one refused", one, nil, [4]int{1, 1, 0, 0}},
		{"one refused at the second attempt", one, ambiguous, [4]int{1, 0, 1, 0}},
		{"both refused at the second attempt", api.LimitsResult{Errors: []api.LimitError{{Email: batch[0].SendAs}, no}}, ambiguous, [4]int{0, 0, 2, 0}},
		{"one refused and one forgotten at the second attempt", api.LimitsResult{Errors: []api.LimitError{no}}, ambiguous, [4]int{0, 0, 2, 0}},
		{"no answer", api.LimitsResult{}, ambiguous, [4]int{0, 0, 2, 0}},
		{"an answer beside a definite error", one, &api.Error{Method: "PUT", Path: "/x", Status: 400}, [4]int{0, 2, 0, 0}},
		{"given up before it was sent", api.LimitsResult{}, &api.Error{Method: "PUT", Path: "/x", Err: context.Canceled}, [4]int{0, 0, 0, 2}},
	} {
		v := decide(batch, c.answer, c.err)
		got := [4]int{len(v.set), len(v.refused), len(v.unknown), len(v.notSent)}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: set, refused, unknown, not sent %s", c.name, diff)
		}
		for i := 1; i < len(v.unknown); i++ {
			if v.unknown[i-1].Email >= v.unknown[i].Email {
				t.Errorf("%s: not in the order of the plan: %v", c.name, v.unknown)
			}
		}
	}
}
