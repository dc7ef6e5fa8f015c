package policy

import (
	"fmt"

	"strings"

	"github.com/agext/levenshtein"
)

// didYouMean is the hint for an unknown name: the nearest known one, or all of a few.
func didYouMean(name string, known []string) string {
	if best := nearest(name, known); best != "" {
		return fmt.Sprintf("did you mean %q?", best)
	}
	if len(known) > 0 && len(known) <= 20 {
		return "known: " + strings.Join(known, ", ")
	}
	return "nothing is called like that"
}

// nearest is the known name most like name, "" when none is near.
func nearest(name string, known []string) string {
	best, at := "", max(2, len(name)/3)+1
	for _, k := range known {
		if d := levenshtein.Distance(strings.ToLower(name), strings.ToLower(k), nil); d < at && d < len(k) {
			best, at = k, d
		}
	}
	return best
}
