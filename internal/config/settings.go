package config

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/govctl/govctl/internal/org"
)

// settings decodes the expected part of the settings snapshot, leaf by leaf.
func (l *loader) settings(blocks []*hcl.Block) []fact {
	s := l.section("settings", names("expect", "absent"), blocks...)
	e := expected{loader: l}
	for _, a := range s.attrs["expect"] {
		e.root(a)
	}
	for _, a := range s.attrs["absent"] {
		for _, w := range l.distinct([]*hcl.Attribute{a}) {
			if !pointerText.MatchString(w.text) {
				l.error(w.at, "write it like /customModels/0", "%q is not a JSON pointer", w.text)
				continue
			}
			f := l.fact(w.at, w.text, nil, false)
			f.Absent = true
			e.facts = append(e.facts, f)
		}
	}
	return e.facts
}

// pointerText is the syntax of a JSON pointer that is not the whole document.
var pointerText = regexp.MustCompile(`^(/([^~/]|~[01])*)+$`)

type expected struct {
	*loader
	facts []fact
}

func (e *expected) root(a *hcl.Attribute) {
	if pairs, diags := hcl.ExprMap(a.Expr); !diags.HasErrors() {
		e.object(pairs, "")
		return
	}
	v, ok := e.json(a.Expr)
	if !ok {
		return
	}
	object, ok := v.(map[string]any)
	if !ok {
		e.error(a.Expr.Range(), "write an object like the settings snapshot", "expect must be an object")
		return
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		e.evaluated(object[key], org.Pointer("", key), a.Expr.Range())
	}
}

// object walks an object that is written out, so that every leaf has its own place.
func (e *expected) object(pairs []hcl.KeyValuePair, base string) {
	first := map[string]hcl.Range{}
	for _, p := range pairs {
		v, ok := e.value(p.Key)
		if !ok {
			continue
		}
		key, ok := e.asWord("a name", p.Key.Range(), v)
		if !ok {
			continue
		}
		if at, twice := first[key.text]; twice {
			e.twice(key.at, at, "keep one of them", "%q is declared twice", key.text)
			continue
		}
		first[key.text] = key.at
		pointer := org.Pointer(base, key.text)
		if inner, diags := hcl.ExprMap(p.Value); !diags.HasErrors() && len(inner) > 0 {
			e.object(inner, pointer)
			continue
		}
		if value, ok := e.json(p.Value); ok {
			e.evaluated(value, pointer, hcl.RangeBetween(key.at, p.Value.Range()))
		}
	}
}

// evaluated adds the leaves of a value.
func (e *expected) evaluated(v any, pointer string, at hcl.Range) {
	if object, ok := v.(map[string]any); ok && len(object) > 0 {
		for _, key := range slices.Sorted(maps.Keys(object)) {
			e.evaluated(object[key], org.Pointer(pointer, key), at)
		}
		return
	}
	if secretFact(pointer, v) {
		e.leak(at, "expect something that is not secret; the service's secrets are hidden before anything is compared",
			"the expectation of %s is a secret; secrets never stand in configuration", pointer)
		return
	}
	e.facts = append(e.facts, e.fact(at, pointer, v, false))
}

// secretFact reports whether a value at that place would be hidden before comparing.
func secretFact(pointer string, v any) bool {
	doc := v
	tokens := strings.Split(pointer, "/")[1:]
	for _, token := range slices.Backward(tokens) {
		doc = map[string]any{org.Unescape(token): doc}
	}
	return !org.EqualJSON(org.Redact(doc), doc)
}

// expectations sorts facts by pointer and refuses those that contradict each other.
func (l *loader) expectations(facts []fact) []org.Expectation {
	slices.SortStableFunc(facts, func(a, b fact) int { return cmp.Compare(a.Pointer, b.Pointer) })
	var out []org.Expectation
	byPointer := map[string]fact{}
	for _, f := range facts {
		if first, twice := byPointer[f.Pointer]; twice {
			at, also := l.later(f.at, first.at)
			l.twice(at, also, "keep one of them", "%s is expected twice", f.Pointer)
			continue
		}
		byPointer[f.Pointer] = f
		out = append(out, f.Expectation)
	}
	for _, f := range facts {
		for i := strings.LastIndexByte(f.Pointer, '/'); i > 0; i = strings.LastIndexByte(f.Pointer[:i], '/') {
			above, ok := byPointer[f.Pointer[:i]]
			if _, object := above.Value.(map[string]any); ok && (above.Absent || !object) && (!above.Absent || !f.Absent) {
				at, also := l.later(f.at, above.at)
				l.twice(at, also, "keep one of them", "the expectations of %s and %s contradict each other", above.Pointer, f.Pointer)
			}
		}
	}
	return out
}

// later orders two places, so that the order of files does not show.
func (l *loader) later(a, b hcl.Range) (at, also hcl.Range) {
	if compareSources(l.place(a), l.place(b)) < 0 {
		return b, a
	}
	return a, b
}
