// Package ledger remembers what was asked of the service and what it answered.
//
// Credit limits are write-only, so this memory is all anybody knows about them. Every
// request is two records: the intention, durable before the request is sent, and the
// outcome, written after it. An intention without an outcome makes its values unknown.
// "Outcomes only" and "a refusal always restores the value before" were tried; property
// tests show that either one ends up claiming values the service does not have.
//
// The file is JSON Lines: a header with a random lineage, then one record a line. Lines
// are only ever added, so git's union merge of two copies is a valid ledger: records
// are read in the order of (At, ID) and a record that stands twice counts once. Two
// lineages in one file are an error, because confirmations of another ledger would be
// believed; bringing ledgers together is an import, never a merge.
//
// A shared ledger keeps the same records, to the byte, in PostgreSQL, and means the same:
// both kinds pass the same tests. Its two tables are made by one statement each, because
// there is one version of them; a tool for migrations would hold a lock for a session,
// which breaks behind a transaction pooler.
package ledger

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/govctl/govctl/internal/org"
)

// Log is what a ledger holds. The zero Log is an empty ledger. It does not change.
type Log struct {
	lineage string
	records []Record // in file order
	lines   []int    // of each record, from 1
	ordered []Record // by (At, ID), every id once
	last    int      // number of whole lines
	torn    int      // line cut off by a crash, 0 for none
	size    int64    // bytes that hold whole lines
	open    bool     // the last whole line lacks its newline
}

// Read reads the ledger at path without locking it. A missing file is an empty Log. A
// last line cut off by a crash is ignored, because Append never acknowledged it; damage
// anywhere else is an error that names file and line.
func Read(path string) (*Log, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &Log{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read ledger: %w", err)
	}
	defer f.Close()
	text, err := slurp(f)
	if err != nil {
		return nil, fmt.Errorf("read ledger: %w", err)
	}
	l, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("read ledger: %s:%w", path, err)
	}
	return l, nil
}

// slurp reads a whole file into one string, of which the records are parts.
func slurp(f *os.File) (string, error) {
	var b strings.Builder
	if info, err := f.Stat(); err == nil {
		b.Grow(int(info.Size()))
	}
	_, err := io.CopyBuffer(struct{ io.Writer }{&b}, struct{ io.Reader }{f}, make([]byte, 1<<18))
	return b.String(), err
}

// parse reads lines. Its errors begin with a line number.
func parse(text string) (*Log, error) {
	l := &Log{}
	for n := 1; text != ""; n++ {
		end := strings.IndexByte(text, '\n') + 1
		whole := end > 0
		if !whole {
			end = len(text)
		}
		line := text[:end]
		if bad := l.add(line, n); bad != nil {
			if whole || !l.cutOff(line) {
				return nil, bad
			}
			l.torn = n
			break
		}
		l.last, l.size, l.open = n, l.size+int64(end), !whole
		text = text[end:]
	}
	l.ordered = normal(l.records)
	return l, nil
}

// cutOff reports whether a bad last line can be the beginning of a line of ours. A whole
// JSON value is not, and neither is the first line of another kind of file.
func (l *Log) cutOff(line string) bool {
	if l.lineage == "" {
		return strings.HasPrefix(line, headerStart) && !json.Valid([]byte(line)) ||
			strings.HasPrefix(headerStart, line) || strings.Trim(line, "\x00") == ""
	}
	return !json.Valid([]byte(line))
}

// add takes one line in.
func (l *Log) add(line string, n int) error {
	text := strings.TrimRight(line, "\r\n")
	if text == "" {
		return nil
	}
	if l.lineage == "" || strings.HasPrefix(text, headerStart) {
		lineage, err := decodeHeader(text)
		if err != nil {
			return fmt.Errorf("%d: %w", n, err)
		}
		if l.lineage != "" && l.lineage != lineage {
			return fmt.Errorf("%d: ledger %s was merged into ledger %s; keep the lines of one of them", n, lineage, l.lineage)
		}
		l.lineage = lineage
		return nil
	}
	return l.record(text, n)
}

// record takes in the record on line n.
func (l *Log) record(text string, n int) error {
	rec, err := decodeRecord(text)
	if err != nil {
		return fmt.Errorf("%d: %w", n, err)
	}
	l.records, l.lines = append(l.records, rec), append(l.lines, n)
	return nil
}

// Torn reports whether the last line was cut off by a crash and is ignored; Open
// removes it.
func (l *Log) Torn() bool { return l.torn != 0 }

// Position names the state of the ledger: its lineage, "" while there is no record, the
// number of its records, and which ones they are: two branches of one ledger can have the
// same number. It does not depend on the order of lines.
func (l *Log) Position() org.Position {
	if len(l.ordered) == 0 {
		return org.Position{}
	}
	ids := sha256.New()
	for i := range l.ordered {
		_, _ = io.WriteString(ids, l.ordered[i].ID+"\n") // a hash takes everything
	}
	return org.Position{Lineage: l.lineage, Serial: int64(len(l.ordered)), Records: hex.EncodeToString(ids.Sum(nil)[:8])}
}

// Records returns every record once, in the order of (At, ID). The caller must not
// change it.
func (l *Log) Records() []Record { return l.ordered }

// Known folds the records that belong to target.
func (l *Log) Known(target org.Target) org.Known {
	k := fold(l.ordered, target)
	k.Position = l.Position()
	return k
}

// with returns the log after more durable records, at least one, each on a line of its
// own.
func (l *Log) with(records []Record) *Log {
	next := *l
	for i := range records {
		next.last++
		next.records, next.lines = append(next.records, records[i]), append(next.lines, next.last)
	}
	n := len(l.ordered)
	if slices.IsSortedFunc(records, byTime) && (n == 0 || byTime(l.ordered[n-1], records[0]) < 0) {
		next.ordered = append(l.ordered, records...)
	} else {
		next.ordered = normal(next.records)
	}
	return &next
}

// byTime is the order of records: two ledgers merged by git agree on it.
func byTime(a, b Record) int {
	return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID))
}

// normal returns records by (At, ID) with every id once. Records already so are returned
// as they are.
func normal(records []Record) []Record {
	seen := make(map[string]struct{}, len(records))
	sorted, unique := true, true
	for i := range records {
		if i > 0 && byTime(records[i-1], records[i]) >= 0 {
			sorted = false
		}
		if _, twice := seen[records[i].ID]; twice {
			unique = false
		}
		seen[records[i].ID] = struct{}{}
	}
	if sorted && unique {
		return records
	}
	out := slices.Clone(records)
	slices.SortStableFunc(out, byTime)
	clear(seen)
	return slices.DeleteFunc(out, func(r Record) bool {
		_, twice := seen[r.ID]
		seen[r.ID] = struct{}{}
		return twice
	})
}
