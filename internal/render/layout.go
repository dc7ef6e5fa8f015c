package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/clipperhouse/displaywidth"
	"github.com/dustin/go-humanize"
)

// printer collects the first write error, so that layout code reads as layout. Every
// call writes whole lines.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) f(format string, args ...any) {
	if p.err == nil {
		_, p.err = io.WriteString(p.w, guard(fmt.Sprintf(format, args...)))
	}
}

// guard breaks workflow commands that harmless values make together, such as a field
// named ":" before its colon.
func guard(text string) string {
	if !strings.Contains(text, "::") && !strings.Contains(text, "##") {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = breakCommands(line)
	}
	return strings.Join(lines, "\n")
}

// more says how many of a list were left out, if any.
func (p *printer) more(all, shown int) {
	if all > shown {
		p.f("  … and %s more; all of them with -o json\n", comma(all-shown))
	}
}

// table is one column; pad aligns by display width, not by bytes or runes.
type table struct {
	cells []string
	width int
}

func (t *table) add(s string) {
	t.cells = append(t.cells, s)
	t.width = max(t.width, displaywidth.String(s))
}

func (t *table) pad(i int) string {
	s := t.cells[i]
	return s + strings.Repeat(" ", t.width-displaywidth.String(s))
}

// padLeft aligns numbers.
func (t *table) padLeft(i int) string {
	s := t.cells[i]
	return strings.Repeat(" ", t.width-displaywidth.String(s)) + s
}

// row joins the cells of a line that are not empty.
func row(cells ...string) string {
	kept := cells[:0]
	for _, c := range cells {
		if c != "" {
			kept = append(kept, c)
		}
	}
	return strings.TrimRight(strings.Join(kept, "  "), " ")
}

// count says "1 member", "2 members".
func count(n int, noun string) string {
	if n != 1 {
		noun = plural(noun)
	}
	return comma(n) + " " + noun
}

func plural(noun string) string {
	if strings.HasSuffix(noun, "s") {
		return noun + "es" // address
	}
	if stem, ok := strings.CutSuffix(noun, "ory"); ok {
		return stem + "ories" // repository
	}
	return noun + "s"
}

// comma writes a number with separators.
func comma(n int) string { return humanize.Comma(int64(n)) }
