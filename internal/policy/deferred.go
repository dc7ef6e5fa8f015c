package policy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"github.com/open-policy-agent/opa/v1/rego"
)

// Deferred is a long part of a body that hardly any rule looks at: it is made when one
// does. It stands directly in the body or in an object there.
type Deferred struct {
	Values int                    // scalars, members and elements in it
	JSON   func() ([]byte, error) // called by each evaluation that looks at it

	most int // values that rules are given
}

// MarshalJSON makes the value.
func (d Deferred) MarshalJSON() ([]byte, error) {
	if d.most > 0 && d.Values > d.most {
		return nil, tooLarge(d.most)
	}
	return d.JSON()
}

func tooLarge(most int) error {
	return fmt.Errorf("the document has more than %d values, which is more than rules are given", most)
}

// bounded is a copy of a body in which no Deferred makes more than most values, and how
// many all of them make; nothing is copied if there are none.
func bounded(body map[string]any, most int) (map[string]any, int) {
	var out map[string]any
	values := 0
	replace := func(name string, v any, n int) {
		if out == nil {
			out = maps.Clone(body)
		}
		out[name] = v
		values += n
	}
	for name, v := range body {
		switch v := v.(type) {
		case Deferred:
			replace(name, Deferred{v.Values, v.JSON, most}, v.Values)
		case map[string]any:
			for _, w := range v {
				if _, deferred := w.(Deferred); deferred {
					inner, n := bounded(v, most)
					replace(name, inner, n)
					break
				}
			}
		}
	}
	return out, values
}

// eval is q.Eval for an input with deferred parts.
func eval(ctx context.Context, q *rego.PreparedEvalQuery, options ...rego.EvalOption) (results rego.ResultSet, err error) {
	defer unmade(&err)
	return q.Eval(ctx, options...)
}

// unmade makes an error of what OPA does about a Deferred that cannot be made: it panics.
func unmade(err *error) {
	r := recover()
	if r == nil {
		return
	}
	failed, isError := r.(error)
	var cause *json.MarshalerError
	if !isError || !errors.As(failed, &cause) {
		panic(r)
	}
	*err = cause.Err
}
