package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/govctl/govctl/internal/grid"
)

// jsonRows writes {"format_version":"1.0","rows":[…],"complete":true,…} with a row a line,
// or the rows alone.
type jsonRows struct {
	picked
	w     io.Writer // escapes
	lines bool
	buf   bytes.Buffer
	begun bool
}

// Row writes one row.
func (j *jsonRows) Row(r grid.Row) error {
	j.buf.Reset()
	if !j.lines {
		if j.begun {
			j.buf.WriteString(",\n    ")
		} else {
			j.buf.WriteString("{\n  \"format_version\": \"1.0\",\n  \"rows\": [\n    ")
		}
	}
	j.begun = true
	j.buf.WriteByte('{')
	for i, at := range j.chosen {
		if i > 0 {
			j.buf.WriteString(", ")
		}
		if err := compactJSON(&j.buf, j.names[i]); err != nil {
			return err
		}
		j.buf.WriteString(": ")
		if err := compactJSON(&j.buf, r[at]); err != nil {
			return err
		}
	}
	j.buf.WriteByte('}')
	if j.lines {
		j.buf.WriteByte('\n')
	}
	_, err := j.w.Write(j.buf.Bytes())
	return err
}

// compactJSON writes a value on one line, without escapes for HTML.
func compactJSON(b *bytes.Buffer, v any) error {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // the newline
	return nil
}

// rowsEndJSON is what follows the rows.
type rowsEndJSON struct {
	Complete bool       `json:"complete"`
	Gap      string     `json:"gap,omitempty"`
	More     bool       `json:"more"`
	Usage    *UsageSpan `json:"usage,omitempty"`
}

// Close ends the document.
func (j *jsonRows) Close(end RowsEnd) error {
	if j.lines {
		return nil
	}
	j.buf.Reset()
	if j.begun {
		j.buf.WriteString("\n  ],\n")
	} else {
		j.buf.WriteString("{\n  \"format_version\": \"1.0\",\n  \"rows\": [],\n")
	}
	tail := json.NewEncoder(&j.buf)
	tail.SetEscapeHTML(false)
	tail.SetIndent("", "  ")
	at := j.buf.Len()
	if err := tail.Encode(rowsEndJSON(end)); err != nil {
		return err
	}
	text := bytes.TrimPrefix(j.buf.Bytes()[at:], []byte("{\n"))
	_, err := j.w.Write(append(j.buf.Bytes()[:at:at], text...))
	return err
}

// yamlRows writes the value that JSON has. Texts stand in quotes, so that no reader takes
// one for a number, a date or a switch; lists and objects are written as JSON, which YAML
// contains.
type yamlRows struct {
	picked
	w     io.Writer
	buf   bytes.Buffer
	begun bool
}

// Row writes one row.
func (y *yamlRows) Row(r grid.Row) error {
	y.buf.Reset()
	if !y.begun {
		y.buf.WriteString("format_version: \"1.0\"\nrows:\n")
	}
	y.begun = true
	for i, at := range y.chosen {
		lead := "    "
		if i == 0 {
			lead = "  - "
		}
		y.buf.WriteString(lead + y.names[i] + ": ")
		if err := yamlValue(&y.buf, r[at]); err != nil {
			return err
		}
		y.buf.WriteByte('\n')
	}
	_, err := y.w.Write(y.buf.Bytes())
	return err
}

// yamlValue writes v as JSON with the escapes of YAML.
func yamlValue(b *bytes.Buffer, v any) error {
	var plain bytes.Buffer
	if err := compactJSON(&plain, v); err != nil {
		return err
	}
	text := bytes.ReplaceAll(plain.Bytes(), []byte("##"), []byte(`#\x23`))
	for _, r := range string(text) {
		switch {
		case !hidden(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(b, `\U%08x`, r)
		default:
			fmt.Fprintf(b, `\u%04x`, r)
		}
	}
	return nil
}

// Close ends the document.
func (y *yamlRows) Close(end RowsEnd) error {
	y.buf.Reset()
	if !y.begun {
		y.buf.WriteString("format_version: \"1.0\"\nrows: []\n")
	}
	fmt.Fprintf(&y.buf, "complete: %t\n", end.Complete)
	if end.Gap != "" {
		y.buf.WriteString("gap: ")
		if err := yamlValue(&y.buf, end.Gap); err != nil {
			return err
		}
		y.buf.WriteByte('\n')
	}
	fmt.Fprintf(&y.buf, "more: %t\n", end.More)
	if end.Usage != nil {
		y.buf.WriteString("usage: ")
		if err := yamlValue(&y.buf, end.Usage); err != nil {
			return err
		}
		y.buf.WriteByte('\n')
	}
	_, err := y.w.Write(y.buf.Bytes())
	return err
}
