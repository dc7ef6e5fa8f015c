package org

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// parse decodes a JSON text of a test.
func parse(t testing.TB, text string) any {
	t.Helper()
	v, err := DecodeJSON([]byte(text))
	if err != nil {
		t.Fatalf("DecodeJSON(%s): %v", text, err)
	}
	return v
}

func TestDecodeJSON(t *testing.T) {
	t.Parallel()
	want := map[string]any{"n": json.Number("9007199254740993"), "e": json.Number("1.0e2"), "l": []any{nil, true, "x"}}
	if diff := cmp.Diff(want, parse(t, ` {"n":9007199254740993,"e":1.0e2,"l":[null,true,"x"]} `)); diff != "" {
		t.Errorf("DecodeJSON (-want +got):\n%s", diff)
	}
	for _, bad := range []string{"", " ", "{", `{"a":1`, "{}{}", "{} x", "{}}", "[]]", "1 2", "{} <html>", `{"a":}`, "nul"} {
		v, err := DecodeJSON([]byte(bad))
		if err == nil {
			t.Errorf("DecodeJSON(%q) = %v, want an error", bad, v)
		} else if err.Error() == "" {
			t.Errorf("DecodeJSON(%q): the error says nothing", bad)
		}
	}
}

func TestEqualJSON(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`1`, `1.0`, true}, {`1`, `1e0`, true}, {`1.0`, `10e-1`, true}, {`100`, `1E+2`, true}, {`0.001`, `1e-3`, true},
		{`0`, `-0`, true}, {`0`, `0.000e999999999999999999999`, true}, {`-1`, `1`, false}, {`-1.5`, `-15e-1`, true},
		{`9007199254740993`, `9007199254740992`, false}, {`9007199254740993`, `9007199254740993.0`, true},
		{`0.1`, `0.10000000000000000001`, false}, {`10`, `1`, false}, {`12`, `1.2`, false},
		{`1e999999999`, `1e999999999`, true}, {`1e999999999`, `10e999999998`, true}, {`1e999999999`, `1e999999998`, false},
		{`1e-999999999`, `0`, false}, {`1e99999999999999999999999`, `2`, false}, {`1e99999999999999999999999`, `1e99999999999999999999999`, true},
		{`null`, `null`, true}, {`null`, `false`, false}, {`false`, `0`, false}, {`"1"`, `1`, false}, {`""`, `null`, false},
		{`[]`, `null`, false}, {`[]`, `{}`, false}, {`[1,2]`, `[1.0,2e0]`, true}, {`[1,2]`, `[2,1]`, false}, {`[1]`, `[1,1]`, false},
		{`{"a":1,"b":[{}]}`, `{"b":[{}],"a":1.0}`, true}, {`{"a":null}`, `{}`, false}, {`{"a":1}`, `{"b":1}`, false}, {`{"a":1}`, `{"a":2}`, false},
	} {
		a, b := parse(t, c.a), parse(t, c.b)
		if got := EqualJSON(a, b); got != c.want {
			t.Errorf("EqualJSON(%s, %s) = %t, want %t", c.a, c.b, got, c.want)
		}
		if got := EqualJSON(b, a); got != c.want {
			t.Errorf("EqualJSON(%s, %s) = %t, want %t", c.b, c.a, got, c.want)
		}
	}
}

// TestEqualJSONNumbers holds that moving the decimal point changes nothing, whatever
// the number.
func TestEqualJSONNumbers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		digits := rapid.StringMatching(`[1-9][0-9]{0,20}`).Draw(t, "digits")
		shift := rapid.IntRange(0, 30).Draw(t, "shift")
		moved := json.Number(digits + strings.Repeat("0", shift) + "." + strings.Repeat("0", shift) + "e-" + string(mustInt(shift)))
		if !EqualJSON(json.Number(digits), moved) {
			t.Fatalf("%s differs from %s", digits, moved)
		}
		other := json.Number(digits + "1")
		if EqualJSON(json.Number(digits), other) {
			t.Fatalf("%s equals %s", digits, other)
		}
	})
}

func mustInt(n int) []byte {
	data, _ := json.Marshal(n)
	return data
}

// drawJSON draws any decoded JSON value.
func drawJSON() *rapid.Generator[any] {
	leaf := rapid.OneOf(
		rapid.Just[any](nil),
		rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		rapid.Map(rapid.StringMatching(`-?(0|[1-9][0-9]{0,3})(\.[0-9]{1,2})?`), func(s string) any { return json.Number(s) }),
		rapid.Map(rapid.SampledFrom([]string{"", "a", "${TOKEN}", "https://u:p@h/?token=t", "x // y@z", "é"}), func(s string) any { return s }),
	)
	key := rapid.SampledFrom([]string{"a", "b/c", "d~e", "apiKey", "token", "extraHeaders", "value", "name", "passwordMinLength", "https://u:p@h"})
	var any_ *rapid.Generator[any]
	any_ = rapid.Deferred(func() *rapid.Generator[any] {
		return rapid.OneOf(leaf, leaf,
			rapid.Map(rapid.SliceOfN(any_, 0, 3), func(l []any) any { return l }),
			rapid.Map(rapid.MapOfN(key, any_, 0, 3), func(m map[string]any) any { return m }))
	})
	return any_
}

// FuzzJSON holds on any bytes: equality is reflexive and survives encoding, and
// redacting twice is redacting once.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{
		`{"customModels":[{"apiKey":"sk","extraHeaders":{"X":"y"}}]}`, `1e999999999`, `[1,1.0,-0]`, `"https://u:p@h/?sig=x"`,
		`{"apiKey":{"redacted":true,"kind":"literal"}}`, `{"token":7,"a~/":null}`, `"//a:b c@d?key=1"`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := DecodeJSON(data)
		if err != nil {
			return
		}
		if !EqualJSON(v, v) {
			t.Fatalf("%s differs from itself", data)
		}
		again, err := json.Marshal(v)
		if err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		if back := parse(t, string(again)); !EqualJSON(v, back) {
			t.Fatalf("%s differs from %s", data, again)
		}
		checkRedactTwice(t, v)
	})
}
