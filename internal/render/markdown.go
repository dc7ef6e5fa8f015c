package render

import (
	"fmt"
	"strings"
	"unicode"
)

// MarkdownBudget is the most bytes a plan takes in Markdown: a GitHub comment holds
// 65,536 characters.
const MarkdownBudget = 65000

// footerReserve is kept free for closing tags and the lines that say what was left out.
const footerReserve = 1000

// document is Markdown within a budget of bytes. Only whole rows are left out, never
// markup, and every section says how many it left out.
type document struct {
	b      strings.Builder
	budget int
}

// must adds text that is small by construction.
func (d *document) must(format string, args ...any) { fmt.Fprintf(&d.b, format, args...) }

// section adds a heading and n rows, as a table if there is a header. It takes at most
// half of what is left of the budget, so that one long section never hides the others.
func (d *document) section(title, header string, n int, row func(i int) string) {
	if n == 0 {
		return
	}
	d.must("\n### %s\n\n", title)
	if header != "" {
		d.must("%s", tableHead(header))
	}
	if shown := d.rows(n, (d.budget-d.b.Len())/2, row); shown < n {
		d.must("\n%s of %s shown; all of them are in the JSON output.\n", comma(shown), comma(n))
	}
}

// rows adds rows up to most bytes and says how many.
func (d *document) rows(n, most int, row func(i int) string) int {
	end := d.b.Len() + most
	for i := range n {
		r := strings.TrimRight(row(i), " ")
		if d.b.Len()+len(r)+1 > end {
			return i
		}
		d.b.WriteString(r)
		d.b.WriteByte('\n')
	}
	return n
}

// tableHead is a header of cells between borders with the line below it.
func tableHead(header string) string {
	return header + "\n|" + strings.Repeat("---|", strings.Count(header, "|")-1) + "\n"
}

// span puts foreign text into a code span that it cannot leave: no mention, no link and
// no tag works inside.
func span(s string) string { return fence(Clean(s)) }

// spanReason is span with more room, for errors that explain themselves.
func spanReason(s string) string { return fence(reason(s)) }

// cell is span inside a table, where a border splits even a code span.
func cell(s string) string { return strings.ReplaceAll(span(s), "|", `\|`) }

func fence(s string) string {
	if s == "" {
		return ""
	}
	longest, run := 0, 0
	for _, r := range s {
		if r == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	ticks := strings.Repeat("`", longest+1)
	if s[0] == '`' || s[len(s)-1] == '`' || s[0] == ' ' {
		s = " " + s + " "
	}
	return ticks + s + ticks
}

// prose writes one of our own messages as it is, and as a code span should it carry a
// foreign word after all.
func prose(s string) string {
	strange := strings.IndexFunc(s, func(r rune) bool {
		return r != ' ' && !strings.ContainsRune(",.:;()'/-", r) && (r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r))
	})
	if strange >= 0 || strings.Contains(s, "://") || strings.Contains(s, "www.") {
		return span(s)
	}
	return s
}

// spans names a few objects in code spans, made by span or cell, and counts the others.
func spans(code func(string) string, names []string, more int) string {
	parts := make([]string, len(names))
	for i, n := range names {
		parts[i] = code(n)
	}
	out := strings.Join(parts, ", ")
	if more > 0 {
		out += fmt.Sprintf(" and %s more", comma(more))
	}
	return out
}
