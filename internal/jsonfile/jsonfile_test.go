package jsonfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/org"
)

// TestMistakes: what is wrong with a file has a place, whoever reads it.
func TestMistakes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                "f:1:1: the file ends before its JSON value does",
		"{\n  \"a\": [1,":                 "f:2:11: the file ends before its JSON value does",
		"{\n  \"a\": tru}":                "f:2:11: invalid character '}' in literal true (expecting 'e')",
		"sandbox:\n":                      "f:1:1: invalid character 's' looking for beginning of value",
		"{}\n[]":                          "f:2:1: text after the JSON value",
		"{\"a\": {\"b\": 1,\n \"b\": 2}}": "f:2:2: \"b\" stands twice in one object, first at f:1:8; keep one of them",
		`[{"a": 1, "\u0061": 2}]`:         "f:1:11: \"a\" stands twice in one object, first at f:1:3; keep one of them",
	} {
		_, parsed := Parse("f", []byte(text))
		_, decoded := Decode("f", []byte(text))
		if diff := cmp.Diff([]string{want, want}, []string{fmt.Sprint(parsed), fmt.Sprint(decoded)}); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// TestPlaces: the place of a value, of one in a list, of one with a name that has to be
// written otherwise, and of what is around a missing one.
func TestPlaces(t *testing.T) {
	t.Parallel()
	text := append(slices.Clone(bom), "{\n \"a/b\": {\"\\u0063\": [1,\n  {\"d~\": null}]},\n \"\": 3}"...)
	want := map[string]string{
		"": "f:1:1", "/a~1b": "f:2:9", "/a~1b/c": "f:2:20", "/a~1b/c/1/d~0": "f:3:10", "/": "f:4:6",
		"/a~1b/c/2": "f:2:20", "/a~1b/c/1/x/y": "f:3:3", "/x": "f:1:1", "/a~1b/c/0/z": "f:2:21",
	}
	pointers := slices.Sorted(maps.Keys(want))
	got := map[string]string{}
	for i, p := range Places("f", text, pointers) {
		got[pointers[i]] = p.String()
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestPlacesOfAnything: at its place stands the value, whatever the file holds and however
// it is written.
func TestPlacesOfAnything(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := written(t)
		decoded, err := Decode("f", text)
		if err != nil {
			t.Fatal(err)
		}
		pointers := pointersOf("", decoded)
		lines := bytes.SplitAfter(text, []byte("\n"))
		for i, p := range Places("f", text, pointers) {
			rest := bytes.Join(append([][]byte{lines[p.Line-1][p.Column-1:]}, lines[p.Line:]...), nil)
			d := json.NewDecoder(bytes.NewReader(rest))
			d.UseNumber()
			var there any
			if err := d.Decode(&there); err != nil {
				t.Fatalf("%s: %v", pointers[i], err)
			}
			want, _ := org.Lookup(decoded, pointers[i])
			if diff := cmp.Diff(want, there); diff != "" {
				t.Fatalf("%s (-want +got):\n%s", pointers[i], diff)
			}
		}
	})
}

// TestList: whoever goes through the file once for all elements finds what Places finds.
func TestList(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := append(slices.Clone(rapid.SampledFrom([][]byte{nil, bom}).Draw(t, "bom")), written(t)...)
		decoded, err := Decode("f", text)
		if err != nil {
			t.Fatal(err)
		}
		pointers := pointersOf("", decoded)
		list := rapid.SampledFrom(pointers).Draw(t, "list") // of a list or of anything else
		pointers = append(pointers, list+"/01", list+"/-1", list+"/99", "/missing")
		if diff := cmp.Diff(Places("f", text, pointers), NewList("f", text, list).Places(pointers)); diff != "" {
			t.Fatalf("with the list at %q (-Places +List):\n%s", list, diff)
		}
	})
}

// written is any value as somebody wrote it: in one line or in many.
func written(t *rapid.T) []byte {
	text, err := json.Marshal(anything(3).Draw(t, "value"))
	if err != nil {
		t.Fatal(err)
	}
	if rapid.Bool().Draw(t, "indented") {
		spaced := bytes.NewBufferString("\n ")
		_ = json.Indent(spaced, text, " ", "\t")
		text = spaced.Bytes()
	}
	return text
}

func anything(depth int) *rapid.Generator[any] {
	leaf := rapid.OneOf(rapid.Just[any](nil), rapid.Bool().AsAny(), rapid.IntRange(-9, 9).AsAny(), rapid.String().AsAny())
	if depth == 0 {
		return leaf
	}
	below := anything(depth - 1)
	return rapid.OneOf(leaf, rapid.SliceOfN(below, 0, 4).AsAny(),
		rapid.MapOfN(rapid.OneOf(rapid.SampledFrom([]string{"", "/", "~", "~1", "0", "a\nb"}), rapid.String()), below, 0, 4).AsAny())
}

func pointersOf(at string, v any) []string {
	out := []string{at}
	switch v := v.(type) {
	case []any:
		for i := range v {
			out = append(out, pointersOf(fmt.Sprint(at, "/", i), v[i])...)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			out = append(out, pointersOf(org.Pointer(at, name), v[name])...)
		}
	}
	return out
}

// FuzzDecode holds Decode against Parse, and that no bytes break Places.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{"", "{}", `{"a":[1,{"b":null}],"a":1}`, "\xef\xbb\xbf[]", `{"` + "\xff" + `":1}`, strings.Repeat("[", 70)} {
		f.Add([]byte(seed))
	}
	f.Add([]byte(" \n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := Decode("f", data)
		parsed, strict := Parse("f", data)
		switch {
		case err == nil && strict == nil:
			if diff := cmp.Diff(parsed.Value, v); diff != "" {
				t.Errorf("(-parsed +decoded):\n%s", diff)
			}
		case err != nil && strict == nil:
			t.Errorf("Decode alone refuses it: %v", err)
		case err == nil && !strings.Contains(strict.Error(), "levels deep"):
			t.Errorf("Parse alone refuses it: %v", strict)
		}
		Places("f", slices.Grow(data, 9), []string{"", "/a", "/a/0", "/0/b/c"})
	})
}
