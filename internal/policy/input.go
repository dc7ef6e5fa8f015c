package policy

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
)

// input is a document as it came, and as rules see it.
type input struct {
	body   map[string]any
	added  map[string]string // what the engine says beside it
	values int               // how many there are in it
	value  ast.Value         // what rules see, nil until one asks
	whole  map[string]any    // what value is made of piece by piece as rules ask, nil for all at once
}

// perValue is how much longer an evaluation may take for every value of its document.
const perValue = 20 * time.Microsecond

func (e *Engine) input(d Document) (*input, error) {
	body, ok := d.Body.(map[string]any)
	if !ok {
		return nil, errors.New("the document is not a JSON object")
	}
	c := counter{left: e.limits.Input}
	if !c.count(body) {
		return nil, fmt.Errorf("%w; divide it, or turn the rules for %s off", tooLarge(e.limits.Input), d.Kind)
	}
	i := &input{body: body, values: e.limits.Input - c.left, added: map[string]string{"kind": d.Kind, "now": e.now}}
	if !c.foreign {
		i.whole = maps.Clone(body)
	} else if whole, deferred := bounded(body, max(c.left, 1)); deferred > 0 {
		i.whole = whole
		i.values += deferred
	}
	return i, nil
}

// term is the document for rules. Its error says that it is not JSON.
func (i *input) term() (ast.Value, error) {
	if i.value != nil {
		return i.value, nil
	}
	if i.whole != nil {
		for name, text := range i.added {
			if _, there := i.whole[name]; !there {
				i.whole[name] = text
			}
		}
		i.value = ast.LazyObject(i.whole)
		return i.value, nil
	}
	value, err := ast.InterfaceToValue(i.body)
	if err != nil {
		return nil, fmt.Errorf("the document is not JSON: %w", err)
	}
	object := value.(ast.Object)
	for name, text := range i.added {
		if object.Get(ast.StringTerm(name)) == nil {
			object.Insert(ast.StringTerm(name), ast.StringTerm(text))
		}
	}
	i.value = object
	return i.value, nil
}

// counter counts the values of a document until none are left.
type counter struct {
	left    int
	foreign bool // there was something that is not JSON, a Deferred for instance
}

// count is false when none are left.
func (c *counter) count(v any) bool {
	c.left--
	switch x := v.(type) {
	case nil, bool, string, json.Number:
	case map[string]any:
		for _, w := range x {
			if !c.count(w) {
				return false
			}
		}
	case []any:
		for _, w := range x {
			if !c.count(w) {
				return false
			}
		}
	default:
		c.foreign = true
	}
	return c.left >= 0
}
