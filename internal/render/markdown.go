package render

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode"
)

// MarkdownBudget is the most bytes a result takes in Markdown unless Options say
// otherwise: a GitHub comment holds 65,536 characters.
const MarkdownBudget = 65000

// MinMarkdownBudget is the smallest budget that is kept: headline, target and footer are
// always there, however long and hostile the names in them are.
const MinMarkdownBudget = 10_000

const (
	footerReserve = 1000 // bytes for the line that names the sections left out
	rowReserve    = 100  // bytes for the line that says how many rows are shown
	unfolded      = 25   // rows of a table that are shown without a click
)

// document is Markdown within a budget of bytes. Only whole rows are left out, never
// markup, and every section says how many it left out.
type document struct {
	b      strings.Builder
	budget int
	footer string
	left   []string // sections there was no room for, with their size
}

// newDocument begins a document that ends with footer. Both fit the budget together.
func newDocument(o Options, footer string) *document {
	budget := cmp.Or(o.Budget, MarkdownBudget)
	return &document{budget: max(budget, MinMarkdownBudget) - footerReserve - len(footer), footer: footer}
}

// must adds text that is small by construction.
func (d *document) must(format string, args ...any) { fmt.Fprintf(&d.b, format, args...) }

// room is how many bytes are left.
func (d *document) room() int { return d.budget - d.b.Len() }

// may adds text if it fits.
func (d *document) may(text string) {
	if len(text) <= d.room() {
		d.b.WriteString(text)
	}
}

// section adds a heading and n rows, as a table if there is a header. It takes at most
// half of what is left of the budget, so that one long section never hides the others.
func (d *document) section(title, header string, n int, row func(i int) string) {
	d.rows(title, header, n, d.room()/2, row)
}

// rows adds a heading and as many of n rows as fit into most bytes. A long table is
// folded.
func (d *document) rows(title, header string, n, most int, row func(i int) string) {
	if n == 0 {
		return
	}
	begin, end := "\n### "+title+"\n\n", ""
	fold := header != "" && n > unfolded
	if fold {
		begin += "<details><summary>%s</summary>\n\n"
		end = "\n</details>\n"
	}
	if header != "" {
		begin += tableHead(header)
	}
	text, shown := fill(n, min(most, d.room())-len(begin)-len(end)-rowReserve, row)
	if shown == 0 {
		d.left = append(d.left, fmt.Sprintf("%s (%s)", title, comma(n)))
		return
	}
	if fold {
		d.must(begin, shownOf(shown, n))
	} else {
		d.must("%s", begin)
	}
	d.must("%s%s", text, end)
	if shown < n && !fold {
		d.must("\n%s shown; all of them are in the JSON output.\n", shownOf(shown, n))
	}
}

// fold adds n rows, riskiest first, behind a click, as far as the budget goes.
func (d *document) fold(n int, noun, header string, row func(i int) string) {
	const frame = len("\n<details><summary></summary>\n\n\n</details>\n") + 2*rowReserve
	text, shown := fill(n, d.room()-frame-len(tableHead(header)), row)
	if shown == 0 {
		d.left = append(d.left, "every single "+noun+" ("+comma(n)+")")
		return
	}
	title := "All " + count(n, noun)
	if shown < n {
		title = fmt.Sprintf("%s of %s, riskiest first", comma(shown), count(n, noun))
	}
	d.must("\n<details><summary>%s</summary>\n\n%s%s\n</details>\n", title, tableHead(header), text)
	if shown < n {
		d.must("\n%s not shown; all of them are in the JSON output.\n", count(n-shown, noun))
	}
}

// shownOf says how many of n rows are there.
func shownOf(shown, n int) string {
	if shown == n {
		return "All " + comma(n)
	}
	return comma(shown) + " of " + comma(n)
}

// fill is the first of n rows that fit into most bytes, and how many they are.
func fill(n, most int, row func(i int) string) (text string, shown int) {
	var b strings.Builder
	for i := range n {
		r := strings.TrimRight(row(i), " ")
		if b.Len()+len(r)+1 > most {
			return b.String(), i
		}
		b.WriteString(r)
		b.WriteByte('\n')
	}
	return b.String(), n
}

// finish writes the document, what was left out, and the footer.
func (d *document) finish(w io.Writer) error {
	if len(d.left) > 0 {
		d.must("\nLeft out for want of room: %s. All of it is in the JSON output.\n", strings.Join(d.left, ", "))
	}
	d.b.WriteString(d.footer)
	_, err := io.WriteString(w, d.b.String())
	return err
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
