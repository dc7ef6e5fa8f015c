package config

import (
	"fmt"
	"strings"

	"github.com/agext/levenshtein"
)

// nearest returns the candidate most like name, or "". A name that differs only in
// case, or in - for _, is always near, and so is the beginning of a name.
func nearest(name string, candidates []string) string {
	plain := func(s string) string { return strings.ReplaceAll(strings.ToLower(s), "-", "_") }
	best, distance := "", max(2, len(name)/3)+1
	for _, c := range candidates {
		d := levenshtein.Distance(plain(name), plain(c), nil)
		if d > 1 && len(name) > 2 && strings.HasPrefix(plain(c), plain(name)) {
			d = 1
		}
		if d < distance && d < len(c) {
			best, distance = c, d
		}
	}
	return best
}

// didYouMean is the hint for an unknown name; without a near one it lists those
// there are.
func didYouMean(name string, candidates []string) string {
	if c := nearest(name, candidates); c != "" {
		return fmt.Sprintf("did you mean %q?", c)
	}
	if len(candidates) > 0 && len(candidates) <= 20 {
		return "known here: " + strings.Join(candidates, ", ")
	}
	return ""
}
