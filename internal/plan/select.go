package plan

import (
	"strings"

	"github.com/govctl/govctl/internal/org"
)

// Selection narrows a plan to some objects (--target, --exclude). A pattern is KIND or
// KIND/KEY; a KEY that ends in * matches by prefix. An empty Target means everything.
type Selection struct {
	Target  []string `json:"target,omitempty"`
	Exclude []string `json:"exclude,omitempty"`
	// OnlyDrift leaves out what was never so: limits, which nobody can see drift, and
	// computers that the ledger does not know to have been there.
	OnlyDrift bool `json:"only_drift,omitempty"`
	// Accepted are, with OnlyDrift, names of computers whose difference somebody accepted,
	// sorted.
	Accepted []string `json:"accepted,omitempty"`
}

// Kinds are the kinds of objects a pattern can name.
var kinds = [...]string{"computer", "limit", "session", "setting"}

// Check says what is wrong with the patterns, "" when nothing is.
func (s Selection) Check() string {
	for _, p := range append(append([]string(nil), s.Target...), s.Exclude...) {
		kind, _, _ := strings.Cut(p, "/")
		known := false
		for _, k := range kinds {
			known = known || k == kind
		}
		if !known {
			return "pattern " + p + " must start with computer, limit, session or setting, as in limit/ada@example.com"
		}
	}
	return ""
}

// IsZero reports whether everything is selected.
func (s Selection) IsZero() bool {
	return len(s.Target) == 0 && len(s.Exclude) == 0 && !s.OnlyDrift && len(s.Accepted) == 0
}

// Includes reports whether an object is selected. Exclude wins over Target.
func (s Selection) Includes(kind, key string) bool {
	in := len(s.Target) == 0
	for _, p := range s.Target {
		in = in || matches(p, kind, key)
	}
	for _, p := range s.Exclude {
		in = in && !matches(p, kind, key)
	}
	return in
}

// matches compares a pattern with an object. Addresses compare folded, and
// setting/sandbox/enabled may stand for setting//sandbox/enabled.
func matches(pattern, kind, key string) bool {
	k, rest, hasKey := strings.Cut(pattern, "/")
	if k != kind || !hasKey {
		return k == kind
	}
	switch {
	case kind == "limit":
		rest = string(org.Fold(rest))
	case kind == "setting" && !strings.HasPrefix(rest, "/"):
		rest = "/" + rest
	}
	if prefix, ok := strings.CutSuffix(rest, "*"); ok {
		return strings.HasPrefix(key, prefix)
	}
	return rest == key
}
