// Package exchange turns what an operator hands in or takes out into records of the
// store and back.
//
// Files have the shapes of the API, so that an answer of a service can be imported into
// another one, with the few fields added that the API does not show. Every problem of a
// file is reported at once, each with its place; nothing of a file with a problem is
// used. Nothing here reads or writes the database.
package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"
)

// maxProblems of one file are told; the rest is only counted.
const maxProblems = 20

// problems collects what is wrong with a file.
type problems struct {
	place string // of the entry being read
	all   []error
}

func (p *problems) add(format string, args ...any) {
	p.all = append(p.all, fmt.Errorf("%s: %w", p.place, fmt.Errorf(format, args...)))
}

// err is nil when there are none.
func (p *problems) err() error {
	if more := len(p.all) - maxProblems; more > 0 {
		p.all = append(p.all[:maxProblems:maxProblems], fmt.Errorf("%d more problems", more))
	}
	return errors.Join(p.all...)
}

// objects splits a document into its JSON objects. It may be one object, an array of
// them, an object with the array under name (as the API answers), or one after the other
// (JSON Lines).
func objects(data []byte, name string) ([]json.RawMessage, error) {
	var all []json.RawMessage
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	dec := json.NewDecoder(bytes.NewReader(data))
	for {
		var value json.RawMessage
		err := dec.Decode(&value)
		switch {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, fmt.Errorf("line %d: not JSON: %w", lineOf(data, dec, err), err)
		}
		var list []json.RawMessage
		var wrapped map[string]json.RawMessage
		switch {
		case json.Unmarshal(value, &list) == nil && list != nil:
			all = append(all, list...)
		case json.Unmarshal(value, &wrapped) != nil || wrapped == nil:
			return nil, fmt.Errorf("entry %d is not a JSON object", len(all)+1)
		case json.Unmarshal(wrapped[name], &list) == nil && list != nil:
			all = append(all, list...)
		default:
			all = append(all, value)
		}
	}
}

// lineOf is the line of a syntax error.
func lineOf(data []byte, dec *json.Decoder, err error) int {
	at := dec.InputOffset()
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		at = syntax.Offset
	}
	return 1 + bytes.Count(data[:min(max(at, 0), int64(len(data)))], []byte("\n"))
}

// lastTime is the end of year 9999, the last that RFC 3339 can write.
const lastTime = 253402300799999

// when reads Unix milliseconds, also written as 1.7e12.
func (p *problems) when(name string, n *json.Number) time.Time {
	if n == nil || *n == "" {
		p.add("%s is missing", name)
		return time.Time{}
	}
	ms, err := strconv.ParseInt(n.String(), 10, 64)
	if err != nil {
		var f float64
		if f, err = n.Float64(); err == nil && f == math.Trunc(f) && math.Abs(f) <= lastTime {
			ms = int64(f)
		} else {
			ms = -1
		}
	}
	if ms < 0 || ms > lastTime {
		p.add("%s %s is not a time in Unix milliseconds", name, *n)
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// number writes Unix milliseconds.
func number(t time.Time) json.Number { return json.Number(strconv.FormatInt(t.UnixMilli(), 10)) }

// compact is a value as text of one line, without escaping what HTML would need.
func compact(v any) (string, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", err
	}
	return string(bytes.TrimRight(text.Bytes(), "\n")), nil
}

// optional is nil for "".
func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// value is "" for nil.
func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
