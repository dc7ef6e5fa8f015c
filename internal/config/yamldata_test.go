package config

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Data keeps its digits, has places, and shares what an alias stands for.
func TestReadYAML(t *testing.T) {
	t.Parallel()
	d, err := ReadYAML("f.yaml", []byte("# settings\nä: {sandbox: {enabled: false}}\nlist:\n- 1\n- a/b: &x [12345678901234567890]\n  c: *x\nno: text\n"))
	if err != nil {
		t.Fatal(err)
	}
	long := []any{json.Number("12345678901234567890")}
	want := map[string]any{
		"ä":    map[string]any{"sandbox": map[string]any{"enabled": false}},
		"list": []any{json.Number("1"), map[string]any{"a/b": long, "c": long}}, "no": "text",
	}
	if diff := cmp.Diff(want, d.Value); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	places := map[string]string{
		"": "f.yaml:2:1", "/ä": "f.yaml:2:5", "/ä/sandbox/enabled": "f.yaml:2:25", "/ä/sandbox/network/allowed": "f.yaml:2:15",
		"/list": "f.yaml:4:1", "/list/0": "f.yaml:4:3", "/list/1/a~1b/0": "f.yaml:5:12", "/list/1/c/0": "f.yaml:5:12", "/list/7": "f.yaml:4:1", "/no/x": "f.yaml:7:5",
	}
	pointers := slices.Sorted(maps.Keys(places))
	got := map[string]string{}
	for i, p := range d.Places(pointers) {
		got[pointers[i]] = p.String()
	}
	if diff := cmp.Diff(places, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	empty, err := ReadYAML("f.yaml", []byte("# nothing\n"))
	if err != nil || empty.Value != nil || empty.Places([]string{"/x"})[0].String() != "f.yaml:1:1" {
		t.Errorf("empty file: %v, %v", empty, err)
	}
}

// All mistakes are told at once, with places, and without the lines, which may hold secrets.
func TestReadYAMLMistakes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"a: 010\nb: yes\na: 1\n":          {"f.yaml:1:4: ", "f.yaml:2:4: ", "f.yaml:3:1: "},
		"a: 1\n---\nb: 2\n":               {"f.yaml:2:1: several YAML documents"},
		"key: s3cret\n\tx: 1\n":           {"f.yaml:2:1: not YAML"},
		"key: s3cret\nkey: s3cret\n":      {"f.yaml:2:1: "},
		"a: !!binary aGk=\nb: {<<: {}}\n": {"f.yaml:1:4: ", "f.yaml:2:5: "},
	} {
		_, err := ReadYAML("f.yaml", []byte(text))
		if err == nil {
			t.Errorf("%q is read", text)
			continue
		}
		for _, place := range want {
			if !strings.Contains("\n"+err.Error(), "\n"+place) {
				t.Errorf("%q: %v, want %s", text, err, place)
			}
		}
		if strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%q: a secret is quoted: %v", text, err)
		}
	}
}

// FuzzReadYAML holds that no bytes break the reader, and that what it has read has places.
func FuzzReadYAML(f *testing.F) {
	for _, seed := range []string{"", "a: 1", "- [a, {b: &x c}]\n- *x\n", "a: |\n  x\n", "\ufeffa: b\r\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := ReadYAML("f", data)
		if err != nil {
			return
		}
		for _, p := range d.Places([]string{"", "/a", "/0/1/b", "/1"}) {
			if p.Line < 1 || p.Column < 1 || p.Line > 1+strings.Count(string(data), "\n") {
				t.Errorf("place %s", p)
			}
		}
	})
}
