package render

import (
	"io"
	"strings"
)

// Table writes rows under a head of column names, aligned by display width. Every cell
// is cleaned; an empty one is shown as "-". A table without rows says only empty.
func Table(w io.Writer, head []string, rows [][]string, empty string, o Options) error {
	out, c := &printer{w: w}, newPalette(o.Color)
	if len(rows) == 0 {
		out.f("%s\n", empty)
		return out.err
	}
	columns := make([]table, len(head))
	for i, name := range head {
		columns[i].add(name)
		for _, cells := range rows {
			text := Clean(cells[i])
			if text == "" {
				text = "-"
			}
			columns[i].add(text)
		}
	}
	for r := range len(rows) + 1 {
		cells := make([]string, len(columns))
		for i := range columns {
			cells[i] = columns[i].pad(r)
		}
		line := strings.TrimRight(strings.Join(cells, "  "), " ")
		if r == 0 {
			line = c.dim(line)
		}
		out.f("%s\n", line)
	}
	return out.err
}
