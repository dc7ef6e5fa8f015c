package plan

import (
	"strings"
	"testing"
)

func TestSelectionIncludes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		target, exclude string // words
		kind, key       string
		want            bool
	}{
		{"", "", "limit", "ada@example.com", true},
		{"limit", "", "limit", "ada@example.com", true},
		{"limit", "", "computer", "a", false},
		{"limit/ada@example.com", "", "limit", "ada@example.com", true},
		{"limit/Ada@Example.com", "", "limit", "ada@example.com", true},
		{"limit/ada@example.com", "", "limit", "bob@example.com", false},
		{"limit/ada*", "", "limit", "ada@example.com", true},
		{"limit/ADA*", "", "limit", "ada@example.com", true},
		{"limit/ada*", "", "limit", "bob@example.com", false},
		{"limit/*", "", "limit", "bob@example.com", true},
		{"limit/", "", "limit", "bob@example.com", false},
		{"computer/Build*", "", "computer", "build-01", false},
		{"computer/a", "", "computer", "/a", false},
		{"computer/a/b", "", "computer", "a/b", true},
		{"setting//sandbox/enabled", "", "setting", "/sandbox/enabled", true},
		{"setting/sandbox/enabled", "", "setting", "/sandbox/enabled", true},
		{"setting/sandbox/*", "", "setting", "/sandbox/enabled", true},
		{"setting//sandbox/*", "", "setting", "/sandbox/enabled", true},
		{"setting/sandbox", "", "setting", "/sandbox/enabled", false},
		{"limit computer/a", "", "computer", "a", true},
		{"", "limit", "limit", "ada@example.com", false},
		{"", "limit/ada*", "limit", "bob@example.com", true},
		{"limit", "limit/ada@example.com", "limit", "ada@example.com", false},
	} {
		s := Selection{Target: strings.Fields(c.target), Exclude: strings.Fields(c.exclude)}
		if got := s.Includes(c.kind, c.key); got != c.want {
			t.Errorf("target %q, exclude %q: %s/%s = %t, want %t", c.target, c.exclude, c.kind, c.key, got, c.want)
		}
	}
}

func TestSelectionCheck(t *testing.T) {
	t.Parallel()
	for pattern, good := range map[string]bool{
		"limit": true, "computer/a": true, "session/s*": true, "setting/x/y": true,
		"limits": false, "": false, "/limit": false, "Limit/ada": false, "ada@example.com": false,
	} {
		for _, s := range []Selection{{Target: []string{"limit", pattern}}, {Exclude: []string{pattern}}} {
			if got := s.Check(); (got == "") != good || !good && !strings.Contains(got, pattern) {
				t.Errorf("Check(%q) = %q, want good = %t", pattern, got, good)
			}
			if s.IsZero() {
				t.Errorf("a selection of %q is zero", pattern)
			}
		}
	}
}
