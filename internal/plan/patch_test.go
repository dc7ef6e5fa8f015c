package plan

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/org"
)

// applyPatch carries a JSON patch out as RFC 6902 has it, knowing nothing of how one is
// made: on text, through generic values, with every operation checked.
func applyPatch(doc any, patch []PatchOp) (any, error) {
	text, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	root, err := org.DecodeJSON(text)
	if err != nil {
		return nil, err
	}
	for i, op := range patch {
		var value any
		if op.Op != "remove" {
			if value, err = org.DecodeJSON(op.Value); err != nil {
				return nil, fmt.Errorf("operation %d: %w", i, err)
			}
		} else if op.Value != nil {
			return nil, fmt.Errorf("operation %d removes with a value", i)
		}
		cut := strings.LastIndexByte(op.Path, '/')
		if cut < 0 {
			return nil, fmt.Errorf("operation %d is about the whole document", i)
		}
		parent, found := org.Lookup(root, op.Path[:cut])
		if !found {
			return nil, fmt.Errorf("operation %d: nothing above %s", i, op.Path)
		}
		old, there := org.Lookup(root, op.Path)
		if op.Op != "add" && !there {
			return nil, fmt.Errorf("operation %d: nothing at %s", i, op.Path)
		}
		if op.Op == "test" {
			if !org.EqualJSON(old, value) {
				return nil, fmt.Errorf("operation %d: %v is not %v", i, old, value)
			}
			continue
		}
		key := strings.ReplaceAll(strings.ReplaceAll(op.Path[cut+1:], "~1", "/"), "~0", "~")
		switch p := parent.(type) {
		case map[string]any:
			if op.Op == "remove" {
				delete(p, key)
			} else {
				p[key] = value
			}
		case []any:
			at, err := strconv.Atoi(key)
			if err != nil || at < 0 || at > len(p) {
				return nil, fmt.Errorf("operation %d: %s is no place in a list of %d", i, key, len(p))
			}
			var list []any
			switch op.Op {
			case "remove":
				list = append(append(list, p[:at]...), p[at+1:]...)
			case "add":
				list = append(append(append(list, p[:at]...), value), p[at:]...)
			default:
				list = append(append(append(list, p[:at]...), value), p[at+1:]...)
			}
			above := strings.LastIndexByte(op.Path[:cut], '/')
			if above < 0 {
				return nil, fmt.Errorf("operation %d: the document is a list", i)
			}
			holder, _ := org.Lookup(root, op.Path[:above])
			name := strings.ReplaceAll(strings.ReplaceAll(op.Path[above+1:cut], "~1", "/"), "~0", "~")
			switch h := holder.(type) {
			case map[string]any:
				h[name] = list
			case []any:
				n, _ := strconv.Atoi(name)
				h[n] = list
			}
		default:
			return nil, fmt.Errorf("operation %d: %s is in no container", i, op.Path)
		}
	}
	return root, nil
}

func TestPatch(t *testing.T) {
	t.Parallel()
	yes := func(pointer string, value any) org.Expectation {
		return org.Expectation{Pointer: pointer, Value: value}
	}
	no := func(pointer string) org.Expectation { return org.Expectation{Pointer: pointer, Absent: true} }
	for name, c := range map[string]struct {
		settings string
		list     []org.Expectation
		want     string
	}{
		"met":                {`{"a":1}`, []org.Expectation{yes("/a", json.Number("1"))}, `null`},
		"replace":            {`{"s":{"on":false}}`, []org.Expectation{yes("/s/on", true)}, `[{"op":"test","path":"/s/on","value":false},{"op":"replace","path":"/s/on","value":true}]`},
		"null is a value":    {`{"s":null}`, []org.Expectation{yes("/s", true)}, `[{"op":"test","path":"/s","value":null},{"op":"replace","path":"/s","value":true}]`},
		"set to null":        {`{}`, []org.Expectation{yes("/s", nil)}, `[{"op":"add","path":"/s","value":null}]`},
		"with what is above": {`{}`, []org.Expectation{yes("/s/n/d", []any{"a"})}, `[{"op":"add","path":"/s","value":{"n":{"d":["a"]}}}]`},
		"both below one":     {`{}`, []org.Expectation{yes("/s/a", true), yes("/s/b", true)}, `[{"op":"add","path":"/s","value":{"a":true}},{"op":"add","path":"/s/b","value":true}]`},
		"no object":          {`{"s":true}`, []org.Expectation{yes("/s/a", true)}, `[{"op":"test","path":"/s","value":true},{"op":"replace","path":"/s","value":{"a":true}}]`},
		"odd names":          {`{"a/b":{"c~d":1}}`, []org.Expectation{yes("/a~1b/c~0d", true)}, `[{"op":"test","path":"/a~1b/c~0d","value":1},{"op":"replace","path":"/a~1b/c~0d","value":true}]`},
		"an empty object":    {`{"s":[]}`, []org.Expectation{yes("/s", map[string]any{})}, `[{"op":"test","path":"/s","value":[]},{"op":"replace","path":"/s","value":{}}]`},
		"remove":             {`{"s":{"a":1}}`, []org.Expectation{no("/s/a")}, `[{"op":"test","path":"/s/a","value":1},{"op":"remove","path":"/s/a"}]`},
		"remove from a list": {`{"l":[1,2,3]}`, []org.Expectation{no("/l/1")}, `[{"op":"test","path":"/l/2","value":3},{"op":"remove","path":"/l/2"},{"op":"test","path":"/l/1","value":2},{"op":"remove","path":"/l/1"}]`},
		"element":            {`{"l":[{"a":1}]}`, []org.Expectation{yes("/l/0/a", true)}, `[{"op":"test","path":"/l/0/a","value":1},{"op":"replace","path":"/l/0/a","value":true}]`},
		"next element":       {`{"l":[1]}`, []org.Expectation{yes("/l/1", true)}, `[{"op":"add","path":"/l/1","value":true}]`},
		"first element":      {`{}`, []org.Expectation{yes("/l/0/a", true)}, `[{"op":"add","path":"/l","value":[{"a":true}]}]`},
		"element too far":    {`{"l":[1]}`, []org.Expectation{yes("/l/5", true)}, `null`},
		"element of nothing": {`{}`, []org.Expectation{yes("/l/5", true)}, `null`},
		"contradiction":      {`{}`, []org.Expectation{yes("/l/a", true), yes("/l", false)}, `null`},
		"a secret":           {`{"m":{"apiKey":"hunter2"}}`, []org.Expectation{no("/m")}, `[{"op":"remove","path":"/m"}]`},
		"a secret in a URL":  {`{"u":"https://a:b@x/"}`, []org.Expectation{no("/u")}, `[{"op":"remove","path":"/u"}]`},
	} {
		v, err := org.DecodeJSON([]byte(c.settings))
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(Patch(org.Redact(v).(map[string]any), c.list...))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\n%s\nwant %s", name, err, got, c.want)
		}
	}
}

// TestPatchProperty: whatever settings are and whatever is expected, a patch can be
// carried out, every expectation is met afterwards, and nothing else is another.
func TestPatchProperty(t *testing.T) {
	t.Parallel()
	written := 0
	rapid.Check(t, func(t *rapid.T) {
		settings := drawValue(3).Filter(func(v any) bool { _, ok := v.(map[string]any); return ok }).Draw(t, "settings").(map[string]any)
		before, err := json.Marshal(settings)
		if err != nil {
			t.Fatal(err)
		}
		var list []org.Expectation
		for range rapid.IntRange(1, 3).Draw(t, "expectations") {
			e := org.Expectation{Absent: rapid.Bool().Draw(t, "absent"), AsSet: rapid.Bool().Draw(t, "as set")}
			for range rapid.IntRange(1, 3).Draw(t, "depth") {
				e.Pointer = org.Pointer(e.Pointer, rapid.SampledFrom([]string{"a", "b", "c~/", "0", "1", "2"}).Draw(t, "token"))
			}
			e.Value = drawValue(1).Draw(t, "value")
			if object, ok := e.Value.(map[string]any); ok && len(object) > 0 {
				e.Value = map[string]any{} // an object is expected leaf by leaf
			}
			list = append(list, e)
		}
		patch := Patch(settings, list...)
		if after, err := json.Marshal(settings); err != nil || string(after) != string(before) {
			t.Fatalf("the settings became %s, they were %s", after, before)
		}
		if patch == nil {
			return
		}
		written++
		got, err := applyPatch(settings, patch)
		if err != nil {
			t.Fatalf("%v of %+v on %s", err, patch, before)
		}
		object, _ := got.(map[string]any)
		for _, e := range list {
			if !e.Meets(object) {
				t.Fatalf("%+v is not met by %v, made of %s by %+v", e, got, before, patch)
			}
		}
		sameElsewhere(t, "", settings, got, list)
	})
	if written == 0 {
		t.Error("no patch was written")
	}
}

// sameElsewhere walks both documents and fails where they differ but at, above or below an
// expectation.
func sameElsewhere(t *rapid.T, at string, before, after any, list []org.Expectation) {
	x, ok1 := before.(map[string]any)
	y, ok2 := after.(map[string]any)
	if org.EqualJSON(before, after) {
		return
	}
	for _, e := range list {
		if strings.HasPrefix(at+"/", e.Pointer+"/") {
			return
		}
		if strings.HasPrefix(e.Pointer+"/", at+"/") && (!ok1 || !ok2) {
			return // a list or something else that could not hold what is expected
		}
	}
	if !ok1 || !ok2 {
		t.Fatalf("%s became %v, it was %v", at, after, before)
	}
	for k := range x {
		sameElsewhere(t, org.Pointer(at, k), x[k], y[k], list)
	}
	for k := range y {
		if _, found := x[k]; !found {
			sameElsewhere(t, org.Pointer(at, k), nil, y[k], list)
		}
	}
}

// drawValue is any JSON value of a depth.
func drawValue(depth int) *rapid.Generator[any] {
	leaves := []any{true, nil, "x", json.Number("1"), json.Number("2.5")}
	return rapid.Custom(func(t *rapid.T) any {
		kind := rapid.IntRange(0, 3).Draw(t, "kind")
		switch {
		case depth > 0 && kind == 0:
			list := []any{}
			for range rapid.IntRange(0, 3).Draw(t, "length") {
				list = append(list, drawValue(depth-1).Draw(t, "element"))
			}
			return list
		case depth > 0 && kind < 3:
			out := map[string]any{}
			for range rapid.IntRange(0, 3).Draw(t, "members") {
				out[rapid.SampledFrom([]string{"a", "b", "c~/", "0", "1"}).Draw(t, "name")] = drawValue(depth-1).Draw(t, "member")
			}
			return out
		}
		return rapid.SampledFrom(leaves).Draw(t, "leaf")
	})
}

// A stored operation means the same however its texts are escaped.
func TestPatchOpReadsBack(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`"a##[b] <c> \u2028"`, `{"k":[1.50,null,"\u0023"]}`, `null`} {
		v, err := org.DecodeJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		want := PatchOp{Op: "add", Path: "/x", Value: operand(v)}
		var got PatchOp
		stored := `{"op":"add","path":"/x","value": ` + strings.ReplaceAll(text, "##", `#\u0023`) + ` }`
		if err := json.Unmarshal([]byte(stored), &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}
