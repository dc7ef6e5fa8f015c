package render

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"github.com/govctl/govctl/internal/grid"
)

// wordOf is a value as text; what is absent is "-".
func wordOf(v any) string {
	switch x := v.(type) {
	case nil:
		return "-"
	case string:
		return x
	case json.Number:
		return x.String()
	case bool:
		if x {
			return "true"
		}
		return "false"
	}
	var b bytes.Buffer
	if compactJSON(&b, v) != nil {
		return "?"
	}
	return b.String()
}

// cellLine makes a value one harmless line of at most most runes; line breaks and tabs in
// it become spaces.
func cellLine(v any, most int) string {
	s := wordOf(v)
	if strings.ContainsAny(s, "\r\n\t") {
		s = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ").Replace(s)
	}
	return clean(s, most)
}

// tabbedRows writes lines of cells with tabs between them and cuts nothing.
type tabbedRows struct {
	picked
	out  *printer
	head bool
}

// Row writes one line.
func (t *tabbedRows) Row(r grid.Row) error {
	t.begin()
	cells := make([]string, len(t.chosen))
	for i, at := range t.chosen {
		cells[i] = cellLine(r[at], math.MaxInt)
	}
	t.out.f("%s\n", strings.Join(cells, "\t"))
	return t.out.err
}

func (t *tabbedRows) begin() {
	if t.head {
		t.out.f("%s\n", strings.Join(t.names, "\t"))
		t.head = false
	}
}

// Close writes the head if there was no row.
func (t *tabbedRows) Close(RowsEnd) error {
	t.begin()
	return t.out.err
}

// measured is how many rows decide how wide columns are.
const measured = 200

// terminalRows aligns rows. The first ones decide the widths; later ones are cut to them.
type terminalRows struct {
	picked
	w      io.Writer
	o      RowsOptions
	held   [][]string
	widths []int // nil while rows are held back
	out    *printer
}

// Row holds the row back or writes it.
func (t *terminalRows) Row(r grid.Row) error {
	cells := make([]string, len(t.chosen))
	for i, at := range t.chosen {
		cells[i] = cellLine(r[at], maxValue)
	}
	if t.widths != nil {
		return t.line(cells)
	}
	if t.held = append(t.held, cells); len(t.held) < measured {
		return nil
	}
	return t.flush()
}

// Close writes what was held back.
func (t *terminalRows) Close(RowsEnd) error {
	if t.widths != nil {
		return t.out.err
	}
	return t.flush()
}

// flush decides the widths and writes what was held back.
func (t *terminalRows) flush() error {
	t.out = &printer{w: t.w}
	t.widths = make([]int, len(t.names))
	for i, name := range t.names {
		t.widths[i] = displaywidth.String(name)
		for _, cells := range t.held {
			t.widths[i] = max(t.widths[i], displaywidth.String(cells[i]))
		}
	}
	fit(t.widths, t.o.Width-2*(len(t.widths)-1))
	if !t.o.NoHead {
		dim := newPalette(t.o.Color).dim
		t.out.f("%s\n", dim(t.laid(t.names)))
	}
	for _, cells := range t.held {
		if err := t.line(cells); err != nil {
			return err
		}
	}
	t.held = nil
	return t.out.err
}

// narrowest is how narrow a column may become; a terminal that is narrower wraps.
const narrowest = 6

// fit makes the widest columns narrower until all fit.
func fit(widths []int, room int) {
	for {
		sum, widest := 0, 0
		for i, w := range widths {
			sum += w
			if w > widths[widest] {
				widest = i
			}
		}
		if sum <= room || widths[widest] <= narrowest {
			return
		}
		widths[widest]--
	}
}

func (t *terminalRows) line(cells []string) error {
	t.out.f("%s\n", t.laid(cells))
	return t.out.err
}

// laid puts cells under each other, cut to their columns.
func (t *terminalRows) laid(cells []string) string {
	var b strings.Builder
	for i, s := range cells {
		if displaywidth.String(s) > t.widths[i] {
			s = displaywidth.TruncateString(s, t.widths[i], "…")
		}
		b.WriteString(s + strings.Repeat(" ", max(0, t.widths[i]-displaywidth.String(s))+2))
	}
	return strings.TrimRight(b.String(), " ")
}

// csvRows writes CSV. A text that a spreadsheet would take for a formula gets an
// apostrophe in front; what is absent is an empty cell.
type csvRows struct {
	picked
	out  *csv.Writer
	head bool
	n    int
}

func newCSVRows(w io.Writer, p picked, o RowsOptions) *csvRows {
	return &csvRows{picked: p, out: csv.NewWriter(w), head: !o.NoHead}
}

// Row writes one record.
func (c *csvRows) Row(r grid.Row) error {
	if err := c.begin(); err != nil {
		return err
	}
	cells := make([]string, len(c.chosen))
	for i, at := range c.chosen {
		cells[i] = csvCell(r[at])
	}
	if err := c.out.Write(cells); err != nil {
		return err
	}
	if c.n++; c.n%100 == 0 { // as pages come
		c.out.Flush()
	}
	return c.out.Error()
}

func (c *csvRows) begin() error {
	if !c.head {
		return nil
	}
	c.head = false
	return c.out.Write(c.names)
}

// Close writes the head if there was no row, and what is held back.
func (c *csvRows) Close(RowsEnd) error {
	if err := c.begin(); err != nil {
		return err
	}
	c.out.Flush()
	return c.out.Error()
}

// csvCell is one value of CSV. Line breaks stay, other hidden characters are replaced.
func csvCell(v any) string {
	switch v.(type) {
	case nil:
		return ""
	case json.Number, bool:
		return wordOf(v)
	}
	s := wordOf(v)
	if !plain(s) {
		lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
		for i, line := range lines {
			lines[i] = breakCommands(replaceHidden(line))
		}
		s = strings.Join(lines, "\n")
	}
	if s != "" && strings.ContainsRune("=+-@\t\r\n", rune(s[0])) {
		s = "'" + s
	}
	return s
}
