package render

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/govctl/govctl/internal/plan"
)

// DifferenceFormats lists the formats of what is different between two plans.
func DifferenceFormats() []string { return []string{Text, JSON, Markdown} }

// Difference writes what is different between two plans.
func Difference(w io.Writer, format string, d plan.Difference, o Options) error {
	switch format {
	case Text:
		return differenceText(w, d, o)
	case JSON:
		return WriteJSON(w, d)
	case Markdown:
		return differenceMarkdown(w, d, o)
	default:
		return CheckFormat(format, DifferenceFormats())
	}
}

// movedParts explains the parts a plan relies on.
var movedParts = map[string]string{
	"target":            "the service or the organization",
	"config":            "files or variables of the configuration",
	"ledger":            "the ledger: something was applied or imported",
	"settings_revision": "the settings of the organization",
	"members":           "the members of the organization",
	"policies":          "the policies",
	"complete":          "what could be read",
	"facts":             "something the plan is made from",
}

// moveLine says what moved in words.
func moveLine(m plan.Move) string {
	return fmt.Sprintf("%s: %s -> %s", cmp.Or(movedParts[m.Part], m.Part), moveValue(m.Was), moveValue(m.Is))
}

func moveValue(s string) string {
	if s == "" {
		return "(none)"
	}
	return Clean(shortDigest(s))
}

// differenceParts are the lists of a difference with their sign.
func differenceParts(d plan.Difference) []differencePart {
	added, removed := differencePart{"Only in the newer plan", "+", nil}, differencePart{"Only in the older plan", "-", nil}
	changed := differencePart{"In both, and not the same", "~", nil}
	for _, e := range d.Added {
		added.lines = append(added.lines, [2]string{entryName(e), entryLine(e)})
	}
	for _, e := range d.Removed {
		removed.lines = append(removed.lines, [2]string{entryName(e), entryLine(e)})
	}
	for _, p := range d.Changed {
		changed.lines = append(changed.lines, [2]string{entryName(p.Is), entryLine(p.Was) + "; now: " + entryLine(p.Is)})
	}
	return []differencePart{added, removed, changed}
}

type differencePart struct {
	title, sign string
	lines       [][2]string
}

func entryName(e plan.Entry) string { return e.Kind + " " + e.Key }

// entryLine is what a change does.
func entryLine(e plan.Entry) string {
	parts := []string{strings.ReplaceAll(e.Action, "_", " ")}
	if e.Before != nil || e.After != nil {
		parts = append(parts, entryValue(e.Before)+" -> "+entryValue(e.After))
	}
	if len(e.Fields) > 0 {
		parts = append(parts, fieldsLine(e.Fields))
	}
	if e.Detail != "" {
		parts = append(parts, e.Detail)
	}
	return reason(strings.Join(parts, " "))
}

// entryValue is a value in a plan; of a limit that was confirmed only the number.
func entryValue(data json.RawMessage) string {
	var limit struct {
		Grade string `json:"grade"`
		Value int64  `json:"value"`
	}
	switch {
	case data == nil:
		return "(absent)"
	case json.Unmarshal(data, &limit) != nil || limit.Grade == "":
		return string(data)
	case limit.Value == 0:
		return strings.ReplaceAll(limit.Grade, "_", " ")
	}
	return fmt.Sprintf("%s (%s)", comma(int(limit.Value)), limit.Grade)
}

func differenceSummary(d plan.Difference) string {
	if d.Empty() {
		return "The plans are the same."
	}
	return fmt.Sprintf("%s new, %s gone, %s different; %s of what the plans rely on moved.",
		count(len(d.Added), "change"), comma(len(d.Removed)), comma(len(d.Changed)), count(len(d.Moved), "part"))
}

func differenceText(w io.Writer, d plan.Difference, o Options) error {
	out, c := &printer{w: w}, newPalette(o.Color)
	out.f("%s  %s -> %s\n", c.bold("govctl plans"), Clean(shortDigest(d.Was)), Clean(shortDigest(d.Is)))
	if len(d.Moved) > 0 {
		out.f("\n%s\n", c.bold("Moved since"))
		for _, m := range d.Moved {
			out.f("  %s %s\n", c.yellow("~"), moveLine(m))
		}
	}
	for _, p := range differenceParts(d) {
		if len(p.lines) == 0 {
			continue
		}
		out.f("\n%s (%s)\n", c.bold(p.title), comma(len(p.lines)))
		for _, line := range p.lines[:min(len(p.lines), maxRows)] {
			out.f("  %s %s\n", p.sign, row(Clean(line[0]), line[1]))
		}
		out.more(len(p.lines), maxRows)
	}
	out.f("\n%s\n", c.bold(differenceSummary(d)))
	return out.err
}

func differenceMarkdown(w io.Writer, d plan.Difference, o Options) error {
	doc := newDocument(o, "")
	doc.must("## govctl plans: %s -> %s\n\n**%s**\n", span(shortDigest(d.Was)), span(shortDigest(d.Is)), differenceSummary(d))
	doc.section("Moved since", "", len(d.Moved), func(i int) string { return "- " + span(moveLine(d.Moved[i])) })
	for _, p := range differenceParts(d) {
		doc.section(p.title, "| what | change |", len(p.lines), func(i int) string {
			return fmt.Sprintf("| %s | %s |", cell(p.lines[i][0]), cell(p.lines[i][1]))
		})
	}
	return doc.finish(w)
}
