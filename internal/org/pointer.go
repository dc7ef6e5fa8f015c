package org

import (
	"strconv"
	"strings"
)

// Pointer appends one reference token to a JSON pointer, escaped (RFC 6901).
func Pointer(base, token string) string {
	return base + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(token)
}

// Unescape is a reference token of a JSON pointer as the name it stands for (RFC 6901).
func Unescape(token string) string {
	return strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
}

// Lookup follows a JSON pointer into doc. It reports false when nothing is there:
// absent is a third value beside false and null (T28, U59).
func Lookup(doc any, pointer string) (any, bool) {
	if pointer == "" {
		return doc, true
	}
	if pointer[0] != '/' {
		return nil, false
	}
	for token := range strings.SplitSeq(pointer[1:], "/") {
		if strings.Contains(token, "~") {
			if strings.Count(token, "~") != strings.Count(token, "~0")+strings.Count(token, "~1") {
				return nil, false // a "~" that escapes nothing: not a pointer
			}
			token = Unescape(token)
		}
		switch d := doc.(type) {
		case map[string]any:
			v, ok := d[token]
			if !ok {
				return nil, false
			}
			doc = v
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(d) || strconv.Itoa(i) != token {
				return nil, false
			}
			doc = d[i]
		default:
			return nil, false
		}
	}
	return doc, true
}

// Meets reports whether the settings satisfy e. Objects are expected leaf by leaf,
// so an Expectation's value is a scalar, an array or an empty object (which any
// object satisfies).
func (e Expectation) Meets(settings map[string]any) bool {
	got, found := Lookup(settings, e.Pointer)
	if e.Absent || !found {
		return e.Absent != found
	}
	if want, ok := e.Value.(map[string]any); ok && len(want) == 0 {
		_, isObject := got.(map[string]any)
		return isObject
	}
	if e.AsSet {
		want, ok1 := e.Value.([]any)
		have, ok2 := got.([]any)
		if ok1 && ok2 {
			return equalSets(want, have)
		}
	}
	return EqualJSON(e.Value, got)
}
