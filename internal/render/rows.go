package render

import (
	"fmt"
	"io"

	"github.com/govctl/govctl/internal/grid"
)

// Formats of rows.
const (
	NDJSON = "ndjson" // a JSON object a line
	CSV    = "csv"    // RFC 4180 with a head; numbers as they are
	YAML   = "yaml"   // the same value as JSON
)

// RowsFormats are the formats of rows, the default first.
func RowsFormats() []string { return []string{Text, JSON, NDJSON, CSV, YAML} }

// RowsForm says which columns a format has if none are chosen.
func RowsForm(format string) grid.Form {
	switch format {
	case Text:
		return grid.Brief
	case CSV:
		return grid.Flat
	}
	return grid.Whole
}

// RowsOptions are what rows may depend on besides themselves.
type RowsOptions struct {
	Width  int  // columns of the terminal, cells are cut to fit; 0: none, nothing is cut
	Color  bool // of the head on a terminal
	NoHead bool // text and CSV begin with the first row
}

// RowsEnd is what is said after the last row. JSON and YAML carry it.
type RowsEnd struct {
	Complete bool       // false: rows are missing, Gap says why
	Gap      string     // "" if complete
	More     bool       // rows were left out because of a limit
	Usage    *UsageSpan // nil but for usage
}

// UsageSpan is what rows of usage are about.
type UsageSpan struct {
	From          string `json:"from"` // first day asked for
	To            string `json:"to"`   // last day asked for
	AsOf          string `json:"as_of"`
	DaysRequested int    `json:"days_requested"`
	DaysReported  *int   `json:"days_reported,omitempty"` // nil where a day without rows is nothing unusual
	Organization  string `json:"organization,omitempty"`  // as the service names it
}

// RowWriter writes rows one by one. Close is called once, after the last one.
type RowWriter interface {
	Row(grid.Row) error
	Close(RowsEnd) error
}

// Rows makes the writer of a format. It writes the columns of each row that are listed, in
// that order, and holds at most a few rows back.
func Rows(w io.Writer, format string, columns []grid.Column, chosen []int, o RowsOptions) (RowWriter, error) {
	p := picked{chosen: chosen}
	for _, i := range chosen {
		p.names = append(p.names, columns[i].Name)
	}
	switch format {
	case Text:
		if o.Width > 0 {
			return &terminalRows{picked: p, w: w, o: o}, nil
		}
		return &tabbedRows{picked: p, out: &printer{w: w}, head: !o.NoHead}, nil
	case CSV:
		return newCSVRows(w, p, o), nil
	case JSON:
		return &jsonRows{picked: p, w: escaper{w}}, nil
	case NDJSON:
		return &jsonRows{picked: p, w: escaper{w}, lines: true}, nil
	case YAML:
		return &yamlRows{picked: p, w: w}, nil
	}
	return nil, fmt.Errorf("rows have no format %q", format)
}

// picked is which columns are written.
type picked struct {
	chosen []int
	names  []string
}
