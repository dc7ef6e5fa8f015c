package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/govctl/govctl/internal/drift"
	"github.com/govctl/govctl/internal/org"
)

// RevisionDiff writes how two revisions differ, nested like the settings: names that lead
// to a difference stand above it.
func RevisionDiff(w io.Writer, format string, d drift.RevisionDiff, o Options) error {
	if format == JSON {
		return WriteJSON(w, d)
	}
	out, c := &printer{w: w}, newPalette(o.Color)
	for _, m := range []struct {
		sign string
		drift.Moment
	}{{"---", d.From}, {"+++", d.To}} {
		out.f("%s\n", c.bold(fmt.Sprintf("%s revision %d  %s  %s", m.sign, m.Revision, Clean(m.UpdatedAt), actorName(m.Actor))))
	}
	var above []string
	for _, x := range d.Changes {
		names := strings.Split(x.Path, "/")[1:]
		if len(names) == 0 {
			names = []string{"(everything)"}
		}
		for i, name := range names[:len(names)-1] {
			if i >= len(above) || above[i] != name {
				above = append(above[:i], name)
				out.f("  %s%s\n", indent(i), c.dim(unescaped(name)))
			}
		}
		above = above[:min(len(above), len(names)-1)]
		diffLines(out, c, indent(len(names)-1), unescaped(names[len(names)-1]), x)
	}
	for _, path := range d.Secrets {
		out.f("%s %s: a secret below it was replaced\n", c.yellow("~"), Clean(path))
	}
	if len(d.Changes)+len(d.Secrets) == 0 {
		out.f("They do not differ.\n")
	}
	return out.err
}

func indent(depth int) string { return strings.Repeat("  ", depth) }

// unescaped is a token of a JSON pointer as its name is written.
func unescaped(token string) string {
	return Clean(org.Unescape(token))
}

// diffLines writes one difference; of a list only what came, went or changed.
func diffLines(out *printer, c palette, in, name string, d drift.Difference) {
	switch {
	case d.Items != nil:
		out.f("%s %s%s:\n", c.yellow("~"), in, name)
		for _, line := range itemLines(d.Items) {
			paint := c.yellow
			switch line[0] {
			case '+':
				paint = c.green
			case '-':
				paint = c.red
			}
			out.f("    %s%s\n", in, paint(line))
		}
	case d.Change == drift.Added:
		out.f("%s %s%s: %s\n", c.green("+"), in, name, driftValue(d.After))
	case d.Change == drift.Removed:
		out.f("%s %s%s: %s\n", c.red("-"), in, name, driftValue(d.Before))
	default:
		out.f("%s %s%s: %s -> %s\n", c.yellow("~"), in, name, driftValue(d.Before), driftValue(d.After))
	}
}
