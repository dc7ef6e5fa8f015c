package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/policy"
)

// TestPlacesLeadBack: whatever a document was made of, JSON, YAML or lines, a list or a page or
// two of a list, at the place of a finding stands the value that the rule saw.
func TestPlacesLeadBack(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		revisions := rapid.SliceOfN(rapid.Custom(drawRevision), 1, 4).Draw(t, "revisions")
		kind := rapid.SampledFrom([]string{policy.Settings, policy.History}).Draw(t, "kind")
		for name, text := range revisionFiles(t, revisions) {
			file := filepath.Join(dir, name)
			if err := os.WriteFile(file, text, 0o600); err != nil {
				t.Fatal(err)
			}
			if kind == policy.History && strings.HasPrefix(name, "list") {
				continue // pairs are made of pages and lines
			}
			n := 0
			for d, err := range (&app{}).documentsOf(policyInput{kind, file}, "shown") {
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				n++
				leadBack(t, name, text, d)
			}
			if want := len(revisions); kind == policy.Settings && n != want || kind == policy.History && n != want-1 {
				t.Fatalf("%s: %d documents of %d revisions", name, n, want)
			}
		}
	})
}

// drawRevision is one as the API or as govctl writes it, or a bare snapshot.
func drawRevision(t *rapid.T) map[string]any {
	names := rapid.SampledFrom([]string{"sandbox", "a/b", "~", "", "updatedAt", "0", "list"})
	values := rapid.OneOf(rapid.Just[any](true), rapid.IntRange(0, 99).AsAny(), rapid.SampledFrom([]string{"", "ü", "\"", "\n", "no"}).AsAny())
	lists := rapid.SliceOfN(values, 0, 3).AsAny()
	settings := rapid.MapOfN(names, rapid.OneOf(values, lists, rapid.MapOfN(names, values, 0, 3).AsAny()), 0, 4).Draw(t, "settings")
	out := map[string]any{"revision": rapid.IntRange(1, 99).Draw(t, "revision"), "settings": settings}
	if rapid.Bool().Draw(t, "of the API") {
		out["updatedAt"], out["user"] = "2026-01-02T03:04:05Z", map[string]any{"id": "usr_1"}
	} else {
		out["updated_at"], out["actor"] = "2026-01-02T03:04:05Z", map[string]any{"id": "usr_1"}
	}
	return out
}

// revisionFiles writes revisions in every form that is read, by the name of the file.
func revisionFiles(t *rapid.T, revisions []map[string]any) map[string][]byte {
	indent := rapid.SampledFrom([]string{"", "\t"}).Draw(t, "indent")
	text := func(v any, indent string) []byte {
		out, err := json.Marshal(v)
		if err == nil && indent != "" {
			out, err = json.MarshalIndent(v, " ", indent)
		}
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	page := map[string]any{"pagination": map[string]any{}, "changes": revisions}
	var lines bytes.Buffer
	for _, r := range revisions {
		lines.Write(append(text(r, ""), rapid.SampledFrom([]string{"\n", "\r\n", "\n \n"}).Draw(t, "end")...))
	}
	return map[string][]byte{
		"list.json": text(revisions, indent), "page.json": text(page, indent), "lines.ndjson": lines.Bytes(),
		"list.yaml": text(revisions, ""), "page.yml": text(page, ""), // JSON in one line is YAML, too
	}
}

// leadBack compares each value of a document with what stands at the place of a finding on it.
func leadBack(t *rapid.T, name string, text []byte, d policy.Document) {
	var findings []org.Finding
	var values []any
	for pointer, v := range leaves("", d.Body) {
		path := pointer
		if rest, ok := strings.CutPrefix(pointer, d.Base+"/"); ok {
			path = "/" + rest // as the engine names it
		}
		findings, values = append(findings, org.Finding{Path: path}), append(values, v)
	}
	d.Locate(findings)
	lines := bytes.SplitAfter(text, []byte("\n"))
	for i, f := range findings {
		rest := bytes.Join(slices.Concat([][]byte{lines[f.Source.Line-1][f.Source.Column-1:]}, lines[f.Source.Line:]), nil)
		there := json.NewDecoder(bytes.NewReader(rest))
		there.UseNumber()
		var v any
		if err := there.Decode(&v); err != nil {
			t.Fatalf("%s: %s at %s: %v", name, f.Path, f.Source, err)
		}
		if diff := cmp.Diff(values[i], v); diff != "" || f.Source.File != "shown" {
			t.Fatalf("%s: %s at %s (-seen +there):\n%s", name, f.Path, f.Source, diff)
		}
	}
}

// leaves are the values of a document that hold no other, by pointer.
func leaves(at string, v any) map[string]any {
	out := map[string]any{}
	add := func(name string, v any) {
		for pointer, leaf := range leaves(org.Pointer(at, name), v) {
			out[pointer] = leaf
		}
	}
	switch v := v.(type) {
	case map[string]any:
		for name := range v {
			add(name, v[name])
		}
	case []any:
		for i := range v {
			add(fmt.Sprint(i), v[i])
		}
	default:
		out[at] = v
	}
	return out
}
