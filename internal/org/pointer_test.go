package org

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// rfc6901 is the document of RFC 6901, section 5, with a list of objects added.
const rfc6901 = `{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8,
	"list":[{"x":null}],"no":null,"01":"key","-":"dash","~":"tilde"}`

func TestLookup(t *testing.T) {
	t.Parallel()
	doc := parse(t, rfc6901)
	for _, c := range []struct{ pointer, want string }{ // want "" means that nothing is there
		{"/foo", `["bar","baz"]`}, {"/foo/0", `"bar"`}, {"/foo/1", `"baz"`}, {"/", `0`}, {"/a~1b", `1`}, {"/c%d", `2`},
		{"/e^f", `3`}, {"/g|h", `4`}, {`/i\j`, `5`}, {`/k"l`, `6`}, {"/ ", `7`}, {"/m~0n", `8`}, {"/~0", `"tilde"`},
		{"/list/0/x", `null`}, {"/no", `null`}, {"/01", `"key"`}, {"/-", `"dash"`},
		{"/foo/2", ""}, {"/foo/-", ""}, {"/foo/00", ""}, {"/foo/01", ""}, {"/foo/+1", ""}, {"/foo/-1", ""}, {"/foo/1e0", ""},
		{"/foo/99999999999999999999", ""}, {"/foo/", ""}, {"/foo/0/x", ""}, {"/no/x", ""}, {"/missing", ""}, {"foo", ""}, {"#/foo", ""},
		{"/m~n", ""}, {"/~", ""}, {"/m~2n", ""}, {"/a/b", ""},
	} {
		got, found := Lookup(doc, c.pointer)
		if found != (c.want != "") {
			t.Errorf("Lookup(%q) = %v, %t, want %q", c.pointer, got, found, c.want)
			continue
		}
		if found {
			if diff := cmp.Diff(parse(t, c.want), got); diff != "" {
				t.Errorf("Lookup(%q) (-want +got):\n%s", c.pointer, diff)
			}
		}
	}
	if whole, found := Lookup(doc, ""); !found || !EqualJSON(whole, doc) {
		t.Errorf("Lookup of the empty pointer = %v, %t, want the whole document", whole, found)
	}
}

func TestPointerLeadsBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfN(rapid.OneOf(rapid.String(), rapid.StringMatching(`[~/01]{0,5}`)), 1, 4).Draw(t, "keys")
		var doc any = "here"
		pointer := ""
		for i := range keys {
			doc = map[string]any{keys[len(keys)-1-i]: doc}
			pointer = Pointer(pointer, keys[i])
		}
		if got, found := Lookup(doc, pointer); !found || got != "here" {
			t.Fatalf("Lookup(%v, %q) = %v, %t", doc, pointer, got, found)
		}
		if n := strings.Count(pointer, "/"); n != len(keys) {
			t.Fatalf("Pointer of %q = %q has %d tokens", keys, pointer, n)
		}
	})
}

func TestExpectationMeets(t *testing.T) {
	t.Parallel()
	settings, _ := parse(t, `{"yes":true,"no":false,"nil":null,"none":[],"empty":{},"one":1.0,"text":"x",
		"list":["a","b"],"twice":["a","b","a"],"mixed":[{"k":1},2],"object":{"a":1,"more":2}}`).(map[string]any)
	for _, c := range []struct {
		name, pointer, want string // want "" means absent
		set, meets          bool
	}{
		{name: "equal", pointer: "/yes", want: `true`, meets: true},
		{name: "other", pointer: "/no", want: `true`},
		{name: "number by value", pointer: "/one", want: `1`, meets: true},
		{name: "false is not absent", pointer: "/gone", want: `false`},
		{name: "null is not absent", pointer: "/gone", want: `null`},
		{name: "null is null", pointer: "/nil", want: `null`, meets: true},
		{name: "null is not false", pointer: "/nil", want: `false`},
		{name: "empty list is empty list", pointer: "/none", want: `[]`, meets: true},
		{name: "empty list is not absent", pointer: "/gone", want: `[]`},
		{name: "empty list is not null", pointer: "/nil", want: `[]`},
		{name: "absent wanted and absent", pointer: "/gone", meets: true},
		{name: "absent wanted, false there", pointer: "/no"},
		{name: "absent wanted, null there", pointer: "/nil"},
		{name: "absent below an object", pointer: "/object/gone", meets: true},
		{name: "empty object meets any object", pointer: "/object", want: `{}`, meets: true},
		{name: "empty object meets an empty one", pointer: "/empty", want: `{}`, meets: true},
		{name: "empty object does not meet a list", pointer: "/none", want: `{}`},
		{name: "empty object does not meet null", pointer: "/nil", want: `{}`},
		{name: "empty object does not meet absence", pointer: "/gone", want: `{}`},
		{name: "order counts", pointer: "/list", want: `["b","a"]`},
		{name: "order does not count in a set", pointer: "/list", want: `["b","a"]`, set: true, meets: true},
		{name: "repetition does not count in a set", pointer: "/twice", want: `["b","a"]`, set: true, meets: true},
		{name: "set too small", pointer: "/list", want: `["a"]`, set: true},
		{name: "set too large", pointer: "/list", want: `["a","b","c"]`, set: true},
		{name: "set is case-sensitive", pointer: "/list", want: `["A","b"]`, set: true},
		{name: "set of anything", pointer: "/mixed", want: `[2.0,{"k":1e0}]`, set: true, meets: true},
		{name: "set of other things", pointer: "/mixed", want: `[2,{"k":2}]`, set: true},
		{name: "set against a text", pointer: "/text", want: `["x"]`, set: true},
		{name: "empty set", pointer: "/none", want: `[]`, set: true, meets: true},
		{name: "empty set is not absent", pointer: "/gone", want: `[]`, set: true},
	} {
		e := Expectation{Pointer: c.pointer, AsSet: c.set, Absent: c.want == ""}
		if c.want != "" {
			e.Value = parse(t, c.want)
		}
		if got := e.Meets(settings); got != c.meets {
			t.Errorf("%s: %s %s meets = %t, want %t", c.name, c.pointer, c.want, got, c.meets)
		}
	}
}
