package org

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// DecodeJSON decodes exactly one JSON value, keeping numbers as json.Number.
func DecodeJSON(data []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("text after the JSON value at byte %d", d.InputOffset())
	}
	return v, nil
}

// EqualJSON compares two decoded JSON values. Numbers compare by value at full
// precision (1, 1.0 and 1e0 are equal); arrays compare in order.
func EqualJSON(a, b any) bool {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for k, v := range x {
			w, ok := y[k]
			if !ok || !EqualJSON(v, w) {
				return false
			}
		}
		return true
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !EqualJSON(x[i], y[i]) {
				return false
			}
		}
		return true
	case json.Number:
		y, ok := b.(json.Number)
		return ok && (x == y || equalNumber(x, y))
	default:
		return a == b
	}
}

// equalNumber compares two JSON numbers exactly and in time linear in their length,
// whatever their exponents are.
func equalNumber(a, b json.Number) bool {
	x, ok1 := decimalOf(string(a))
	y, ok2 := decimalOf(string(b))
	return ok1 && ok2 && x == y
}

// decimal is 0.DIGITS x 10^exponent without zeros at either end; zero is the zero
// decimal, so that equal numbers are equal decimals.
type decimal struct {
	negative bool
	digits   string
	exponent int64
}

// decimalOf reads a JSON number. It reports false for an exponent that does not fit.
func decimalOf(s string) (decimal, bool) {
	mantissa, exponent := s, int64(0)
	i := strings.IndexAny(s, "eE")
	if i >= 0 {
		mantissa = s[:i]
	}
	negative := strings.HasPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(mantissa, "-"), ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return decimal{}, true
	}
	if i >= 0 {
		e, err := strconv.ParseInt(s[i+1:], 10, 62)
		if err != nil {
			return decimal{}, false
		}
		exponent = e
	}
	exponent += int64(len(digits) - len(fraction))
	return decimal{negative, strings.TrimRight(digits, "0"), exponent}, true
}

// equalSets compares arrays as sets: order and repetition do not count.
func equalSets(a, b []any) bool {
	return subset(a, b) && subset(b, a)
}

// subset reports whether b contains every element of a. Settings lists are nearly
// always of strings, and some have an entry for every member.
func subset(a, b []any) bool {
	texts := make(map[string]struct{}, len(b))
	var others []any
	for _, w := range b {
		if s, ok := w.(string); ok {
			texts[s] = struct{}{}
		} else {
			others = append(others, w)
		}
	}
	for _, v := range a {
		if s, ok := v.(string); ok {
			if _, found := texts[s]; !found {
				return false
			}
		} else if !slices.ContainsFunc(others, func(w any) bool { return EqualJSON(v, w) }) {
			return false
		}
	}
	return true
}
