package report

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"github.com/govctl/govctl/internal/org"
)

// declaredStatus is what the configuration says of a model.
func declaredStatus(declared *org.Models, id string) string {
	switch {
	case declared == nil:
		return ""
	case slices.Contains(declared.Blocked, id):
		return "blocked"
	case declared.Permits(id):
		return "allowed"
	}
	return "not_allowed"
}

// settingsStatus is what the newest settings list of a model. It is not who may use it:
// exceptions of users and what is allowed by default are not stated (T30).
func settingsStatus(newest *org.Revision, id string) string {
	if newest == nil {
		return ""
	}
	policy, _ := newest.Settings["modelPolicy"].(map[string]any)
	blocked, _ := policy["blockedModelIds"].([]any)
	allowed, listed := policy["allowedModelIds"].([]any)
	switch {
	case slices.Contains(blocked, any(id)):
		return "blocked"
	case policy["allowAllServiceModels"] == true:
		return "all_allowed"
	case slices.Contains(allowed, any(id)):
		return "listed"
	case listed:
		return "not_listed"
	}
	return ""
}

// compareKnown orders numbers of which some are unknown; those are the least.
func compareKnown(a, b *float64) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return -1
	case b == nil:
		return 1
	}
	return cmp.Compare(*a, *b)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// plainNumber writes a number without an exponent.
func plainNumber(f float64) string { return strconv.FormatFloat(rounded(f), 'f', -1, 64) }
