package config

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"io/fs"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/hashicorp/hcl/v2"

	"github.com/govctl/govctl/internal/org"
)

// usersFrom reads the CSV files that the patterns match, each once.
func (d *limitsDecoder) usersFrom(a *hcl.Attribute) {
	for _, w := range d.distinct([]*hcl.Attribute{a}) {
		paths, ok := d.matching(w)
		if !ok {
			continue
		}
		for _, name := range paths {
			if d.csvRead[name] {
				continue // another pattern matches it too
			}
			d.csvRead[name] = true
			d.csvFile(name, w.at)
		}
	}
}

// matching lists the files that one pattern matches, sorted. None is a problem: a
// misspelt pattern must not silently declare nobody.
func (d *limitsDecoder) matching(w word) ([]string, bool) {
	if strings.HasPrefix(w.text, "/") || strings.Contains(w.text, `\`) || slices.Contains(strings.Split(w.text, "/"), "..") {
		d.error(w.at, `write it relative to the project, like "limits/*.csv"`, "%q: %s", w.text, errOutside)
		return nil, false
	}
	text := strings.TrimPrefix(w.text, "./")
	paths, err := doublestar.Glob(d.files.root.FS(), text, doublestar.WithFilesOnly(), doublestar.WithFailOnIOErrors())
	switch {
	case errors.Is(err, doublestar.ErrBadPattern):
		d.error(w.at, "* stands for any part of a name, ** for any directories", "%q is not a pattern", w.text)
		return nil, false
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		d.error(w.at, "", "%q cannot be read: %s", w.text, plainPathError(err))
		return nil, false
	case len(paths) == 0:
		d.error(w.at, "the path is relative to the project directory", "%q matches no file", w.text)
		return nil, false
	}
	slices.Sort(paths)
	return paths, true
}

// csvFile streams one file; at is the pattern that named it.
func (d *limitsDecoder) csvFile(name string, at hcl.Range) {
	f, err := d.files.open(name)
	if err != nil {
		d.error(at, "", "%s", err)
		return
	}
	d.csv(name, f, f.size)
	if err := f.Close(); err != nil {
		d.error(at, "", "read %s: %s", name, plainPathError(err))
	}
}

// csvRowBytes is about the shortest row; it only sizes the first allocation.
const csvRowBytes = 24

// csvTable is one file being read.
type csvTable struct {
	*limitsDecoder
	name                 string
	reader               *csv.Reader
	record               []string
	email, limit, reason int // column of each; -1: none
	columns              int
}

func (d *limitsDecoder) csv(name string, r io.Reader, size int64) {
	b := bufio.NewReaderSize(r, 64<<10)
	if head, _ := b.Peek(len(utf8BOM)); bytes.Equal(head, utf8BOM) {
		_, _ = b.Discard(len(utf8BOM)) // they were just peeked at
	}
	t := csvTable{limitsDecoder: d, name: name, reader: csv.NewReader(b)}
	t.reader.ReuseRecord, t.reader.FieldsPerRecord = true, -1
	if !t.next() {
		if t.record == nil {
			d.add(Problem{Source: org.Source{File: name, Line: 1, Column: 1}, Message: "the file has no header", Hint: "begin it with the line: email,limit"})
		}
		return
	}
	if !t.header() {
		return
	}
	d.out.users = slices.Grow(d.out.users, int(min(size/csvRowBytes, 1<<20)))
	for t.next() {
		t.row()
	}
}

// next reads a record, over those that are broken. It returns false at the end.
func (t *csvTable) next() bool {
	for {
		record, err := t.reader.Read()
		if err == io.EOF {
			return false
		}
		t.record = record
		if err == nil {
			return true
		}
		var p *csv.ParseError
		if !errors.As(err, &p) {
			t.add(Problem{Source: org.Source{File: t.name, Line: 1, Column: 1}, Message: fmt.Sprintf("the file cannot be read: %s", plainPathError(err))})
			return false
		}
		t.record = []string{}
		t.add(Problem{Source: org.Source{File: t.name, Line: p.Line, Column: max(p.Column, 1)},
			Message: "not CSV: " + p.Err.Error(), Hint: `quote a field that contains " and double each quote inside`})
	}
}

// header finds the columns. Their order does not matter.
func (t *csvTable) header() bool {
	known := []string{"email", "limit", "reason"}
	at := map[string]int{}
	good := true
	for i, name := range t.record {
		if !slices.Contains(known, name) {
			advice := didYouMean(name, known)
			if strings.ContainsAny(name, ";\t") {
				advice = "separate columns by commas"
			}
			t.fail(i, advice, "unknown column %q", name)
			good = false
			continue
		}
		if _, twice := at[name]; twice {
			t.fail(i, "keep one of them", "the column %q stands twice", name)
			good = false
		}
		at[name] = i
	}
	column := func(name string, needed bool) int {
		if i, ok := at[name]; ok {
			return i
		}
		if needed && good {
			t.fail(0, "begin the file with the line: email,limit", "the column %q is missing", name)
			good = false
		}
		return -1
	}
	t.email, t.limit, t.reason = column("email", true), column("limit", true), column("reason", false)
	t.columns = len(t.record)
	return good
}

func (t *csvTable) row() {
	if len(t.record) != t.columns {
		t.fail(min(len(t.record), t.columns)-1, "quote a field that contains a comma", "the row has %d fields, the header %d", len(t.record), t.columns)
		return
	}
	email, ok := t.address(t.record[t.email])
	if !ok {
		return
	}
	credits, ok := t.credits(t.record[t.limit], email)
	if !ok {
		return
	}
	line, column := t.reader.FieldPos(t.email)
	limit := org.Limit{Email: email, Credits: credits, Why: "users_from", Source: org.Source{File: t.name, Line: line, Column: column}}
	if t.reason >= 0 {
		limit.Reason = t.record[t.reason]
	}
	t.out.users = append(t.out.users, limit)
}

func (t *csvTable) address(raw string) (org.Email, bool) {
	email, note, err := canonical(raw)
	if err != nil {
		t.fail(t.email, "", "%q: %s", raw, err)
		return "", false
	}
	if note != "" {
		t.add(t.problem(t.email, SeverityWarning, "type the address as the service shows it", "the address %s was not in Unicode normal form C: %s", email, note))
	}
	return email, true
}

// credits reads digits and nothing else.
func (t *csvTable) credits(text string, email org.Email) (int64, bool) {
	var n int64
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c < '0' || c > '9' || i >= 18 {
			return 0, t.notCredits(text, email)
		}
		n = n*10 + int64(c-'0')
	}
	if text == "" || (text[0] == '0' && len(text) > 1) {
		return 0, t.notCredits(text, email)
	}
	if why, advice := t.refused(n); why != "" {
		t.fail(t.limit, advice, "the limit of %s %s", email, why)
		return 0, false
	}
	return n, true
}

// notCredits explains a limit that is not plain digits; it returns false.
func (t *csvTable) notCredits(text string, email org.Email) bool {
	why, advice := "is not a whole number", "write digits only"
	switch trimmed := strings.TrimSpace(text); {
	case trimmed == "":
		why, advice = "has no value", "write digits, or remove the row"
	case trimmed != text:
		why, advice = "has spaces around it", "remove the spaces"
	case leadingZero.MatchString(text):
		why, advice = "has a leading zero, which means different things to different readers", "drop the zeros"
	case digits.MatchString(text) && text[0] == '-':
		why, advice = "is negative", "write a whole number of credits"
	case digits.MatchString(text):
		why, advice = "is larger than 9007199254740991 (2^53-1); the service may round it", ""
	}
	t.fail(t.limit, advice, "the limit of %s %s", email, why)
	return false
}

func (t *csvTable) fail(field int, advice, format string, args ...any) {
	t.add(t.problem(field, SeverityError, advice, format, args...))
}

func (t *csvTable) problem(field int, severity, advice, format string, args ...any) Problem {
	line, column := t.reader.FieldPos(field)
	return Problem{
		Source: org.Source{File: t.name, Line: line, Column: column}, EndColumn: column + len(t.record[field]),
		Severity: severity, Hint: advice, Message: fmt.Sprintf(format, args...),
	}
}
