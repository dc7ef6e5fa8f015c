package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/govctl/govctl/internal/org"
)

// headerStart begins every header line.
const headerStart = `{"kind":"header"`

// header is the first line of a ledger.
type header struct {
	Kind    string `json:"kind"`
	Version int    `json:"version"`
	Lineage string `json:"lineage"`
}

// encode makes one line, newline included.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode ledger line: %w", err)
	}
	return b.Bytes(), nil
}

// decodeHeader reads a header line and returns its lineage.
func decodeHeader(line string) (string, error) {
	var h header
	if err := json.Unmarshal([]byte(line), &h); err != nil || h.Kind != "header" {
		if hint := mergeHint(line); hint != nil {
			return "", hint
		}
		return "", errors.New("not a govctl ledger: the first line must be its header")
	}
	if h.Version != FormatVersion {
		return "", unknownVersion(h.Version)
	}
	if h.Lineage == "" {
		return "", errors.New("the header names no lineage")
	}
	return h.Lineage, nil
}

func unknownVersion(v int) error {
	return fmt.Errorf("ledger format version %d is not known to this govctl, which writes version %d", v, FormatVersion)
}

// decodeRecord reads one record. A line as Append writes it is scanned; any other form
// of the same JSON takes the standard way, which is some six times slower.
func decodeRecord(line string) (Record, error) {
	r, ok := scanRecord(line)
	if !ok {
		r = Record{}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			if hint := mergeHint(line); hint != nil {
				return Record{}, hint
			}
			return Record{}, fmt.Errorf("damaged record: %w", err)
		}
	}
	if r.ID == "" || r.Kind == "" || r.At.IsZero() {
		return Record{}, errors.New("damaged record: id, at and kind are required")
	}
	r.At = r.At.UTC()
	return r, nil
}

// mergeHint recognises what git leaves in a file it could not merge.
func mergeHint(line string) error {
	for _, mark := range []string{"<<<<<<<", "=======", ">>>>>>>", "|||||||"} {
		if strings.HasPrefix(line, mark) {
			return errors.New("git left a merge conflict here; delete its marker lines and keep the records of both sides (merge=union in .gitattributes does that)")
		}
	}
	return nil
}

// scanner walks over JSON text of exactly the form encode gives it. What does not match
// sets bad, and the caller starts again with encoding/json.
type scanner struct {
	s   string
	bad bool
}

// try skips text if it comes next.
func (c *scanner) try(text string) bool {
	if !c.bad && strings.HasPrefix(c.s, text) {
		c.s = c.s[len(text):]
		return true
	}
	return false
}

// must skips text, which has to come next.
func (c *scanner) must(text string) {
	if !c.try(text) {
		c.bad = true
	}
}

// str reads a string. The line is known to have no escapes.
func (c *scanner) str() string {
	if c.bad || len(c.s) < 2 || c.s[0] != '"' {
		c.bad = true
		return ""
	}
	end := strings.IndexByte(c.s[1:], '"')
	if end < 0 {
		c.bad = true
		return ""
	}
	v := c.s[1 : 1+end]
	c.s = c.s[end+2:]
	return v
}

// field reads the string of an optional field.
func (c *scanner) field(start string) string {
	if c.try(start) {
		return c.str()
	}
	return ""
}

// integer reads a whole number of at most 16 digits.
func (c *scanner) integer() int64 {
	i, v := 0, int64(0)
	for i < len(c.s) && '0' <= c.s[i] && c.s[i] <= '9' {
		v = v*10 + int64(c.s[i]-'0')
		i++
	}
	if i == 0 || i > 16 || (i > 1 && c.s[0] == '0') {
		c.bad = true
		return 0
	}
	c.s = c.s[i:]
	return v
}

// list reads an optional array whose elements one reads; each stands once in one of them.
func list[T any](c *scanner, start string, one func() T, each string) []T {
	if !c.try(start) {
		return nil
	}
	out := make([]T, 0, 1+strings.Count(c.s[:max(0, strings.IndexByte(c.s, ']'))], each))
	for {
		out = append(out, one())
		if !c.try(",") {
			break
		}
	}
	c.must("]")
	return out
}

// scanRecord reads a line in the form Append writes and reports whether it is one.
func scanRecord(line string) (Record, bool) {
	if !plain(line) {
		return Record{}, false
	}
	c := &scanner{s: line}
	var r Record
	c.must(`{"id":`)
	r.ID = c.str()
	c.must(`,"at":`)
	at, err := time.Parse(time.RFC3339Nano, c.str())
	c.must(`,"kind":`)
	r.At, r.Kind = at, Kind(c.str())
	r.Of = c.field(`,"of":`)
	if c.try(`,"target":{"base_url":`) {
		r.Target.BaseURL = c.str()
		r.Target.Organization = c.field(`,"organization":`)
		c.must("}")
	}
	r.Plan = c.field(`,"plan":`)
	r.Limits = list(c, `,"limits":[`, c.limit, "{")
	r.Set = list(c, `,"set":[`, c.email, ",")
	r.Refused = list(c, `,"refused":[`, c.refused, "{")
	r.Unknown = list(c, `,"unknown":[`, c.email, ",")
	r.NotSent = list(c, `,"not_sent":[`, c.email, ",")
	r.RequestID = c.field(`,"request_id":`)
	c.must("}")
	return r, err == nil && !c.bad && c.s == ""
}

func (c *scanner) email() org.Email { return org.Email(c.str()) }

func (c *scanner) limit() (l Limit) {
	c.must(`{"email":`)
	l.Email = c.email()
	l.SendAs = c.field(`,"send_as":`)
	c.must(`,"credits":`)
	l.Credits = c.integer()
	l.UserID = c.field(`,"user_id":`)
	c.must("}")
	return l
}

func (c *scanner) refused() (r Refused) {
	c.must(`{"email":`)
	r.Email = c.email()
	c.must(`,"error":`)
	r.Error = c.str()
	c.must("}")
	return r
}

// plain reports whether s is printable ASCII without backslashes, eight bytes at a time.
func plain(s string) bool {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	for ; len(s) >= 8; s = s[8:] {
		x := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		slash := x ^ ones*'\\'
		if (x|(x-ones*' ')|((slash-ones)&^slash))&high != 0 {
			return false
		}
	}
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x80 || s[i] == '\\' {
			return false
		}
	}
	return true
}
