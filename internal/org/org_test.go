package org

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSource(t *testing.T) {
	t.Parallel()
	if got, want := (Source{"a/b.hcl", 3, 7}).String(), "a/b.hcl:3:7"; got != want {
		t.Errorf("String = %q, want %q", got, want)
	}
	if got := (Source{Line: 3}).String(); got != "" {
		t.Errorf("String of no file = %q, want nothing", got)
	}
}

func TestSameHost(t *testing.T) {
	t.Parallel()
	const id = "6f1c2d3e-0000-4000-8000-00000000abcd"
	for _, c := range []struct {
		other string
		want  bool
	}{
		{id, true}, {"6F1C2D3E-0000-4000-8000-00000000ABCD", true}, {"{" + id + "}", true}, {"urn:uuid:" + id, true},
		{"URN:UUID:" + id, true}, {"6f1c2d3e-0000-4000-8000-00000000abce", false}, {"", false},
	} {
		if got := SameHost(id, c.other); got != c.want {
			t.Errorf("SameHost(%q, %q) = %t, want %t", id, c.other, got, c.want)
		}
	}
}

func TestModelsPermits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		m     Models
		model string
		want  bool
	}{
		{"listed", Models{Allowed: []string{"a", "b"}}, "b", true},
		{"not listed", Models{Allowed: []string{"a"}}, "b", false},
		{"case-sensitive", Models{Allowed: []string{"a"}}, "A", false},
		{"no list", Models{}, "b", true},
		{"no list but blocked", Models{Blocked: []string{"b"}}, "b", false},
		{"no list, another blocked", Models{Blocked: []string{"a"}}, "b", true},
		{"blocked wins", Models{Allowed: []string{"a"}, Blocked: []string{"a"}}, "a", false},
	} {
		if got := c.m.Permits(c.model); got != c.want {
			t.Errorf("%s: Permits(%q) = %t, want %t", c.name, c.model, got, c.want)
		}
	}
}

func TestChanged(t *testing.T) {
	t.Parallel()
	rev := func(n int64, settings string) Revision {
		m, _ := parse(t, settings).(map[string]any)
		return Revision{Number: n, Settings: m, Actor: Actor{ID: "u_1"}, UpdatedAt: "then"}
	}
	change := func(n int64, keys ...string) RevisionChange {
		return RevisionChange{Revision: n, UpdatedAt: "then", Actor: Actor{ID: "u_1"}, Changed: keys}
	}
	unknown := func(n int64) RevisionChange {
		return RevisionChange{Revision: n, UpdatedAt: "then", Actor: Actor{ID: "u_1"}, Unknown: true}
	}
	for _, c := range []struct {
		name string
		in   []Revision
		want []RevisionChange
	}{
		{"nothing", nil, []RevisionChange{}},
		{"the first has no predecessor", []Revision{rev(1, `{"b":1,"a":2}`)}, []RevisionChange{change(1, "a", "b")}},
		{"added, removed, changed, null", []Revision{rev(2, `{"a":2,"c":1,"d":null}`), rev(1, `{"a":1,"b":1}`)},
			[]RevisionChange{change(2, "a", "b", "c", "d"), change(1, "a", "b")}},
		{"same number written otherwise", []Revision{rev(2, `{"a":1.0}`), rev(1, `{"a":1}`)}, []RevisionChange{change(2, []string{}...), change(1, "a")}},
		{"a gap", []Revision{rev(5, `{"a":1}`), rev(3, `{}`), rev(2, `{"b":1}`)}, []RevisionChange{unknown(5), change(3, "b"), unknown(2)}},
	} {
		for i := range c.want {
			if !c.want[i].Unknown && c.want[i].Changed == nil {
				c.want[i].Changed = []string{}
			}
		}
		if diff := cmp.Diff(c.want, Changed(c.in)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
