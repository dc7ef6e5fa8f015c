package live

import (
	"context"
	"errors"
	"iter"
	"testing"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/org"
)

// days answers each ask for the newest revision with the next of its answers.
type days struct{ answers []any }

func (d *days) History(context.Context, int) iter.Seq2[api.Change, error] {
	return func(yield func(api.Change, error) bool) {
		next := d.answers[0]
		d.answers = d.answers[1:]
		switch x := next.(type) {
		case api.Change:
			yield(x, nil)
		case error:
			yield(api.Change{}, x)
		}
	}
}

func TestAwait(t *testing.T) {
	t.Parallel()
	over := errors.New("over")
	wrong, right := change(3, `{"a":{"b":false}}`), change(4, `{"a":{"b":true}}`)
	list := []org.Expectation{{Pointer: "/a/b", Value: true}, {Pointer: "/gone", Absent: true}}
	for name, c := range map[string]struct {
		answers []any
		pauses  int
		seen    int64 // revision, 0 for none
		err     error
	}{
		"at once":         {[]any{right}, 0, 4, nil},
		"later":           {[]any{wrong, wrong, right}, 2, 4, nil},
		"after trouble":   {[]any{&api.Error{Status: 503}, nil, wrong, right}, 3, 4, nil},
		"nonsense":        {[]any{change(2, `[]`), right}, 1, 4, nil},
		"never":           {[]any{wrong, wrong, wrong, wrong}, 4, 3, over},
		"back again":      {[]any{wrong, &api.Error{Status: 500}, &api.Error{Status: 500}, &api.Error{Status: 500}}, 4, 3, over},
		"empty":           {[]any{nil, nil, nil, nil}, 4, 0, over},
		"the key refused": {[]any{wrong, &api.Error{Status: 401}}, 1, 3, &api.Error{Status: 401}},
	} {
		pauses := 0
		got, err := Await(t.Context(), &days{c.answers}, list, func(context.Context) error {
			if pauses++; pauses == 4 {
				return over
			}
			return nil
		})
		var seen int64
		if got != nil {
			seen = got.Number
		}
		if seen != c.seen || pauses != c.pauses || (err == nil) != (c.err == nil) || errors.Is(c.err, over) && !errors.Is(err, over) {
			t.Errorf("%s: revision %d after %d pauses, %v", name, seen, pauses, err)
		}
	}
}
