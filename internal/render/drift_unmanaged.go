package render

import (
	"encoding/json"
	"fmt"

	"github.com/dustin/go-humanize"

	"github.com/govctl/govctl/internal/drift"
)

// unmanagedGroup is one reason for which things are unmanaged.
type unmanagedGroup struct {
	code  string // stays the same from run to run
	what  string
	names []string
	total int
}

// unmanaged arranges what nothing governs by why, a few names each.
func unmanaged(u drift.Unmanaged) []unmanagedGroup { return unmanagedUpTo(u, noteItems) }

// unmanagedUpTo is unmanaged with that many names each.
func unmanagedUpTo(u drift.Unmanaged, most int) []unmanagedGroup {
	var out []unmanagedGroup
	for _, why := range []struct{ code, what string }{
		{drift.WhyNoLimit, "members without a declared limit"},
		{drift.WhyLeft, "limits declared for addresses that are not in the organization"},
		{drift.WhyMoved, "limits declared for an address the member no longer has"},
		{drift.WhyForgotten, "limits removed from configuration; the limit stays in force on the service"},
	} {
		g := unmanagedGroup{code: why.code, what: why.what}
		for _, m := range u.Members {
			if m.Why != why.code || m.Ignored != nil {
				continue
			}
			if g.total++; g.total <= most {
				g.names = append(g.names, m.Email)
			}
		}
		out = append(out, g)
	}
	for _, s := range []struct {
		code, what string
		list       []drift.SeenThing
	}{
		{"computers", "undeclared computers, seen through sessions; there may be others", u.Computers},
		{"models", modelsWords(u), u.Models},
	} {
		g := unmanagedGroup{code: s.code, what: s.what}
		for _, x := range s.list {
			if x.Ignored != nil {
				continue
			}
			if g.total++; g.total <= most {
				g.names = append(g.names, x.Name+" ("+seenWords(x)+")")
			}
		}
		out = append(out, g)
	}
	kept := out[:0]
	for _, g := range out {
		if g.total > 0 {
			kept = append(kept, g)
		}
	}
	return kept
}

// modelsWords is what is said of models that are not allowed, which depends on where they
// were looked for.
func modelsWords(u drift.Unmanaged) string {
	what := "models in use by sessions that are not allowed"
	if u.Window != nil {
		what = fmt.Sprintf("models in use that are not allowed (sessions, and usage from %s to %s)", Clean(u.Window.From), Clean(u.Window.To))
	}
	return what
}

// numberWords writes a number of JSON with separators, if it is a whole one that is not
// too large.
func numberWords(n json.Number) string {
	if i, err := n.Int64(); err == nil {
		return humanize.Comma(i)
	}
	return Clean(n.String())
}

// seenWords says how often something was seen.
func seenWords(x drift.SeenThing) string {
	words := count(x.Sessions, "session")
	if t := x.Tokens; t != nil {
		words += fmt.Sprintf(", %s tokens in and %s out on %s", numberWords(t.Input), numberWords(t.Output), count(t.Days, "day"))
	}
	return words
}
