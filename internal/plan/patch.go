package plan

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/govctl/govctl/internal/org"
)

// PatchOp is one operation of a JSON patch (RFC 6902).
type PatchOp struct {
	Op    string          `json:"op"` // test | add | replace | remove
	Path  string          `json:"path"`
	Value json.RawMessage `json:"value,omitempty"` // absent for remove
}

// Patch is the JSON patch that makes settings meet every expectation, nil if they do
// already. What it takes away is tested before, unless a secret hides in it. It is nil,
// too, where nobody can write one: expectations that contradict each other, or an element
// of a list whose predecessors are not there. Nothing else changes. Settings stay as they
// are.
func Patch(settings map[string]any, list ...org.Expectation) []PatchOp {
	var out []PatchOp
	var doc any = settings
	for _, e := range patchOrder(list) {
		object, _ := doc.(map[string]any)
		if e.Meets(object) {
			continue
		}
		steps := toMeet(doc, e)
		if steps == nil {
			return nil
		}
		for _, s := range steps {
			doc = s.on(doc)
		}
		out = append(out, ops(steps)...)
	}
	object, _ := doc.(map[string]any)
	if slices.ContainsFunc(list, func(e org.Expectation) bool { return !e.Meets(object) }) {
		return nil
	}
	return out
}

// patchOrder puts what must go first, later elements of a list before earlier ones, so
// that no removal moves what another one is about.
func patchOrder(list []org.Expectation) []org.Expectation {
	out := slices.Clone(list)
	slices.SortStableFunc(out, func(a, b org.Expectation) int {
		switch {
		case a.Absent && b.Absent:
			return comparePointers(b.Pointer, a.Pointer)
		case a.Absent:
			return -1
		case b.Absent:
			return 1
		}
		return comparePointers(a.Pointer, b.Pointer)
	})
	return out
}

// comparePointers orders pointers token by token, indices as numbers.
func comparePointers(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "/"), strings.Split(b, "/"), func(x, y string) int {
		n, err1 := strconv.Atoi(x)
		m, err2 := strconv.Atoi(y)
		if err1 == nil && err2 == nil && n != m {
			return n - m
		}
		return strings.Compare(x, y)
	})
}

// edit is one change of a document.
type edit struct {
	op     string // add | replace | remove
	tokens []string
	before any // what stands there; meaningful unless op is add
	value  any // meaningful unless op is remove
}

// toMeet are the edits that make doc meet e, which it does not; nil if there are none.
func toMeet(doc any, e org.Expectation) []edit {
	tokens := tokensOf(e.Pointer)
	if len(tokens) == 0 {
		return nil
	}
	if e.Absent {
		return toRemove(doc, tokens)
	}
	at := doc
	for i, token := range tokens {
		last := i == len(tokens)-1
		child, found := childOf(at, token)
		switch {
		case found && (last || holds(child, tokens[i+1])):
			if last {
				return []edit{{"replace", tokens, child, e.Value}}
			}
			at = child
			continue
		case found:
			value, ok := nest(tokens[i+1:], e.Value)
			if _, isList := child.([]any); isList && index(tokens[i+1]) >= 0 || !ok {
				return nil // the elements before it are not known
			}
			return []edit{{"replace", tokens[:i+1], child, value}}
		}
		value, ok := nest(tokens[i+1:], e.Value)
		if !ok {
			return nil
		}
		return []edit{{"add", tokens[:i+1], nil, value}}
	}
	return nil
}

// toRemove are the edits after which nothing stands at tokens. Of a list the elements
// from there on have to go: the next one would move up.
func toRemove(doc any, tokens []string) []edit {
	above, last := tokens[:len(tokens)-1], tokens[len(tokens)-1]
	at := doc
	for _, token := range above {
		at, _ = childOf(at, token) // Meets found it
	}
	list, isList := at.([]any)
	if !isList {
		child, _ := childOf(at, last)
		return []edit{{"remove", tokens, child, nil}}
	}
	var out []edit
	for i := len(list) - 1; i >= index(last); i-- {
		out = append(out, edit{"remove", append(slices.Clone(above), strconv.Itoa(i)), list[i], nil})
	}
	return out
}

// tokensOf splits a JSON pointer.
func tokensOf(pointer string) []string {
	if pointer == "" {
		return nil
	}
	tokens := strings.Split(pointer[1:], "/")
	for i, t := range tokens {
		tokens[i] = org.Unescape(t)
	}
	return tokens
}

func childOf(v any, token string) (any, bool) {
	return org.Lookup(v, org.Pointer("", token))
}

// holds reports whether v can have something at a token, now or by adding it.
func holds(v any, token string) bool {
	switch x := v.(type) {
	case map[string]any:
		return true
	case []any:
		i := index(token)
		return i >= 0 && i <= len(x)
	}
	return false
}

// index is the place in a list that a token names, -1 for none.
func index(token string) int {
	i, err := strconv.Atoi(token)
	if err != nil || i < 0 || strconv.Itoa(i) != token {
		return -1
	}
	return i
}

// nest wraps value so that tokens lead to it. A token 0 begins a list; any other index
// would need elements before it.
func nest(tokens []string, value any) (any, bool) {
	for _, token := range slices.Backward(tokens) {
		switch index(token) {
		case -1:
			value = map[string]any{token: value}
		case 0:
			value = []any{value}
		default:
			return nil, false
		}
	}
	return value, true
}

// on carries the edit out on a copy of what it changes.
func (e edit) on(doc any) any { return e.below(doc, e.tokens) }

func (e edit) below(v any, tokens []string) any {
	token, rest := tokens[0], tokens[1:]
	if list, ok := v.([]any); ok {
		list, i := slices.Clone(list), index(token)
		switch {
		case len(rest) > 0:
			list[i] = e.below(list[i], rest)
		case e.op == "remove":
			list = slices.Delete(list, i, i+1)
		case e.op == "add":
			list = slices.Insert(list, i, e.value)
		default:
			list[i] = e.value
		}
		return list
	}
	object, _ := v.(map[string]any)
	out := make(map[string]any, len(object)+1)
	for k, w := range object {
		out[k] = w
	}
	switch {
	case len(rest) > 0:
		out[token] = e.below(object[token], rest)
	case e.op == "remove":
		delete(out, token)
	default:
		out[token] = e.value
	}
	return out
}

// ops writes edits as operations, each after a test of what it takes away.
func ops(list []edit) []PatchOp {
	var out []PatchOp
	for _, e := range list {
		path := ""
		for _, t := range e.tokens {
			path = org.Pointer(path, t)
		}
		if e.op != "add" && !hides(e.before) {
			out = append(out, PatchOp{"test", path, operand(e.before)})
		}
		op := PatchOp{Op: e.op, Path: path}
		if e.op != "remove" {
			op.Value = operand(e.value)
		}
		out = append(out, op)
	}
	return out
}

// UnmarshalJSON reads an operation and writes its value anew, so that the escapes of
// whoever stored it do not count.
func (o *PatchOp) UnmarshalJSON(data []byte) error {
	type plain PatchOp
	if err := json.Unmarshal(data, (*plain)(o)); err != nil || o.Value == nil {
		return err
	}
	v, err := org.DecodeJSON(o.Value)
	if err == nil {
		o.Value = operand(v)
	}
	return err
}

// operand is a decoded JSON value as JSON again.
func operand(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null") // never from DecodeJSON
	}
	return data
}

// hides reports whether a secret was replaced in v: a test of it would fail on the real
// document.
func hides(v any) bool {
	if _, secret := org.SecretText(v); secret {
		return true
	}
	switch x := v.(type) {
	case string:
		return strings.Contains(x, "//") && strings.Contains(x, "redacted")
	case []any:
		return slices.ContainsFunc(x, hides)
	case map[string]any:
		for k, w := range x {
			if hides(k) || hides(w) {
				return true
			}
		}
	}
	return false
}
