package org

import (
	"regexp"
	"testing"

	"pgregory.net/rapid"
)

// The hand-written search finds what this expression does, which takes seconds on texts of
// megabytes.
func TestLink(t *testing.T) {
	t.Parallel()
	want := regexp.MustCompile(`(?:[A-Za-z][A-Za-z0-9+.-]*:)?//\S+`)
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`[aZ1:/ .@é\t]{0,24}`).Draw(t, "text")
		start, end, ok := link(s)
		loc := want.FindStringIndex(s)
		if ok != (loc != nil) || ok && (start != loc[0] || end != loc[1]) {
			t.Fatalf("%q: got %d to %d, %v; want %v", s, start, end, ok, loc)
		}
	})
}
