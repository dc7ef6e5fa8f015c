package config

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/org"
)

// Anchors may share whole values.
func TestYAMLAliases(t *testing.T) {
	t.Parallel()
	p := mustLoad(t, map[string]string{"a.yaml": `
computer:
  a: &byom {provider: byom}
  b: *byom
settings:
  expect:
    x: &list [1, &word two]
    y: *list
    z: *word
`})
	var names []string
	for _, c := range p.Computers {
		names = append(names, c.Name+" "+c.Provider)
	}
	if diff := cmp.Diff([]string{"a byom", "b byom"}, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want := []org.Expectation{
		{Pointer: "/x", Value: []any{json.Number("1"), "two"}},
		{Pointer: "/y", Value: []any{json.Number("1"), "two"}},
		{Pointer: "/z", Value: "two"},
	}
	if diff := cmp.Diff(want, p.Expectations, withoutPlaces); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A small file cannot become a large value.
func TestYAMLAliasBomb(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("settings:\n  expect:\n    a0: &a0 [x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 40; i++ {
		fmt.Fprintf(&b, "    a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n", i, i, i-1, i-1, i-1, i-1, i-1, i-1, i-1, i-1, i-1)
	}
	_, err := load(t, map[string]string{"a.yaml": b.String()}, Options{})
	if got := problemLines(t, err); !strings.HasPrefix(got, "a.yaml:1:1: aliases expand this file to ") {
		t.Errorf("got %s", got)
	}
}

// Numbers of generic JSON keep their digits whatever their size, and text that looks
// like something else stays text.
func TestYAMLGenericJSON(t *testing.T) {
	t.Parallel()
	p := mustLoad(t, map[string]string{"a.yaml": `
policy:
  parameters:
    list: [9007199254740993, 123456789012345678901234567890, 0.1234567890123456789, -1e400, 1_000, "010", "no", 2026-01-01, ~, True, 1:30, '']
    1: {true: x, null: y, 1e3: z}
    block: |
      a
      b
`})
	want := map[string]any{
		"list": []any{
			json.Number("9007199254740993"), json.Number("123456789012345678901234567890"), json.Number("0.1234567890123456789"),
			json.Number("-1e400"), json.Number("1000"), "010", "no", "2026-01-01", nil, true, "1:30", "",
		},
		"1":     map[string]any{"true": "x", "null": "y", "1e3": "z"},
		"block": "a\nb\n",
	}
	if diff := cmp.Diff(want, p.Policy.Parameters); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Blocks that repeat are lists, at the label or above it.
func TestYAMLRepeatedBlocks(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"policy: {waiver: {A1: [{reason: x, expires: 2027-01-01}, {reason: y, target: /t, expires: 2027-01-01}]}}",
		"policy: {waiver: [{A1: {reason: x, expires: 2027-01-01}}, {A1: {reason: y, target: /t, expires: 2027-01-01}}]}",
		"policy:\n- waiver: {A1: {reason: x, expires: 2027-01-01}}\n- waiver: {A1: {reason: y, target: /t, expires: 2027-01-01}}\n",
	} {
		p := mustLoad(t, map[string]string{"a.yml": text})
		if w := p.Policy.Waivers; len(w) != 2 || w[0].Reason != "x" || w[1].Target != "/t" {
			t.Errorf("%s: got %+v", text, w)
		}
	}
}

func TestYAMLEmptyFile(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "# nothing\n", "---\n", "\xef\xbb\xbf", "null\n", "{}\n"} {
		p := mustLoad(t, map[string]string{"a.yaml": text})
		if p.NeedsMembers() || len(p.Warnings) > 0 {
			t.Errorf("%q: got %+v", text, p)
		}
	}
}

// A condition in YAML has the places of its parts, in every style of scalar.
func TestYAMLWherePlaces(t *testing.T) {
	t.Parallel()
	for where, want := range map[string]string{
		"user.idd == \"x\"":                                     "6:19",
		"'user.idd == \"x\"'":                                   "6:20",
		"\"user.idd == \\\"x\\\"\"":                             "6:20",
		"|\n        user.idd == \"x\"\n":                        "7:14",
		">\n        true &&\n          user.idd == \"x\"\n":     "8:16",
		"|-\n        # comment\n        user.idd == \"x\"\n":    "8:14",
		"user.id ==\n        \"x\" &&\n        user.idd == 1\n": "8:14", // folded
	} {
		_, err := load(t, map[string]string{"a.yaml": "credit_limits:\n  group:\n    g: {limit: 1, members: [a@example.com]}\n    h:\n      limit: 1\n      where: " + where + "\n"}, Options{})
		if err == nil {
			t.Errorf("%s: no problem", where)
			continue
		}
		got := problemLines(t, err)
		if prefix := "a.yaml:" + want + ": a user has no attribute \"idd\""; !strings.HasPrefix(got, prefix) {
			t.Errorf("%s: got %s, want %s", where, got, prefix)
		}
	}
}
