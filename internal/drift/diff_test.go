package drift

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/org"
)

func TestDiff(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, after string
		want          string // as JSON
	}{
		"same":              {`{"a":[1,{"b":null}]}`, `{"a":[1.0,{"b":null}]}`, `null`},
		"three kinds":       {`{"a":1,"b":2}`, `{"b":3,"c":null}`, `[{"path":"/a","change":"removed","before":1},{"path":"/b","change":"changed","before":2,"after":3},{"path":"/c","change":"added","after":null}]`},
		"null is not false": {`{"a":null}`, `{"a":false}`, `[{"path":"/a","change":"changed","before":null,"after":false}]`},
		"deep and escaped":  {`{"a/b":{"c~d":1}}`, `{"a/b":{"c~d":2}}`, `[{"path":"/a~1b/c~0d","change":"changed","before":1,"after":2}]`},
		"object gone":       {`{"a":{"b":1,"c":2}}`, `{}`, `[{"path":"/a","change":"removed","before":{"b":1,"c":2}}]`},
		"object to list":    {`{"a":{"b":1}}`, `{"a":[]}`, `[{"path":"/a","change":"changed","before":{"b":1},"after":[]}]`},
		"list of texts":     {`{"deny":["x","y","y"]}`, `{"deny":["y","z"]}`, `[{"path":"/deny","change":"changed","before":["x","y","y"],"after":["y","z"],"items":{"added":["z"],"removed":["x","y"]}}]`},
		"order":             {`{"deny":["x","y"]}`, `{"deny":["y","x"]}`, `[{"path":"/deny","change":"changed","before":["x","y"],"after":["y","x"],"items":{"reordered":true}}]`},
		"order of ids":      {`{"allowedModelIds":["x","y"],"allowedEmails":["a","b"]}`, `{"allowedModelIds":["y","x"],"allowedEmails":["b","a"]}`, `null`},
		"models by id": {`{"m":[{"id":"a","index":0,"u":1},{"id":"b","index":1}]}`, `{"m":[{"id":"b","index":0},{"id":"a","index":1,"u":2}]}`,
			`[{"path":"/m","change":"changed","before":[{"id":"a","index":0,"u":1},{"id":"b","index":1}],"after":[{"id":"b","index":0},{"id":"a","index":1,"u":2}],"items":{"changed":[{"key":"a","changes":[{"path":"/u","change":"changed","before":1,"after":2}]}],"reordered":true}}]`},
		"models by address": {`{"m":[{"model":"x","baseUrl":"h"},{"model":"x","baseUrl":"i"}]}`, `{"m":[{"model":"x","baseUrl":"i"}]}`,
			`[{"path":"/m","change":"changed","before":[{"model":"x","baseUrl":"h"},{"model":"x","baseUrl":"i"}],"after":[{"model":"x","baseUrl":"i"}],"items":{"removed":[{"model":"x","baseUrl":"h"}]}}]`},
		"an id twice": {`{"m":[{"id":"a"},{"id":"a"}]}`, `{"m":[{"id":"a"}]}`,
			`[{"path":"/m","change":"changed","before":[{"id":"a"},{"id":"a"}],"after":[{"id":"a"}],"items":{"removed":[{"id":"a"}]}}]`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := json.Marshal(Diff(parse(t, c.before), parse(t, c.after)))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(parse(t, c.want), parse(t, string(got))); diff != "" {
				t.Errorf("%s -> %s (-want +got):\n%s", c.before, c.after, diff)
			}
		})
	}
}

// drawJSON draws a small document whose parts often are equal.
func drawJSON(t *rapid.T, label string, depth int) any {
	kind := rapid.IntRange(0, 6).Draw(t, label)
	if depth == 0 {
		kind %= 5
	}
	switch kind {
	case 0:
		return nil
	case 1:
		return rapid.Bool().Draw(t, label+" bool")
	case 2:
		return json.Number(rapid.SampledFrom([]string{"1", "1.0", "1e0", "2", "-0", "0", "1e9"}).Draw(t, label+" number"))
	case 3:
		return rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, label+" text")
	case 4:
		list := []any{}
		for i := range rapid.IntRange(0, 3).Draw(t, label+" length") {
			list = append(list, drawJSON(t, fmt.Sprint(label, i), 0))
		}
		return list
	}
	return drawObject(t, label, depth-1)
}

func drawObject(t *rapid.T, label string, depth int) map[string]any {
	out := map[string]any{}
	for _, k := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c/d", "~", ""}), 0, 4, rapid.ID[string]).Draw(t, label+" keys") {
		out[k] = drawJSON(t, label+"/"+k, depth)
	}
	return out
}

// patched applies differences to a document.
func patched(doc map[string]any, diffs []Difference) map[string]any {
	out := deep(doc)
	for _, d := range diffs {
		at, last := out, ""
		for i, token := range strings.Split(d.Path[1:], "/") {
			token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
			if i > 0 {
				at = at[last].(map[string]any)
			}
			last = token
		}
		if d.After.Found {
			at[last] = d.After.JSON
		} else {
			delete(at, last)
		}
	}
	return out
}

func deep(doc map[string]any) map[string]any {
	out := maps.Clone(doc)
	for k, v := range out {
		if inner, ok := v.(map[string]any); ok {
			out[k] = deep(inner)
		}
	}
	return out
}

// TestDiffIsAPatch: what differs, put into the document before, gives the one after, and
// nothing differs exactly if the documents are equal.
func TestDiffIsAPatch(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before, after := drawObject(t, "before", 3), drawObject(t, "after", 3)
		diffs := Diff(before, after)
		if got := patched(before, diffs); !org.EqualJSON(got, after) {
			t.Fatalf("%s + %+v = %s, want %s", canonical(before), diffs, canonical(got), canonical(after))
		}
		if equal := org.EqualJSON(before, after); equal != (len(diffs) == 0) {
			t.Fatalf("equal %v, %d differences", equal, len(diffs))
		}
		for _, d := range diffs {
			if !lookup(before, d.Path).Equal(d.Before) || !lookup(after, d.Path).Equal(d.After) {
				t.Fatalf("%+v does not say what stands in %s and %s", d, canonical(before), canonical(after))
			}
		}
	})
}

// TestCanonical: equal values, and only they, have equal texts.
func TestCanonical(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawJSON(t, "a", 2), drawJSON(t, "b", 2)
		if org.EqualJSON(a, b) != (canonical(a) == canonical(b)) {
			t.Fatalf("%#v and %#v: %s and %s", a, b, canonical(a), canonical(b))
		}
	})
	for _, pair := range [][2]string{{"0e999999999999999999999", "0"}, {"10", "1e1"}, {"-1.50", "-15e-1"}, {"0.0", "-0"}} {
		if x, y := parse(t, pair[0]), parse(t, pair[1]); !org.EqualJSON(x, y) || canonical(x) != canonical(y) {
			t.Errorf("%v: %s and %s", pair, canonical(x), canonical(y))
		}
	}
}
