// Package jsonfile reads a JSON file that somebody wrote: what is wrong with it has a line
// and a column, and so has every value.
package jsonfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/govctl/govctl/internal/org"
)

// maxDepth is how deep a file may be nested; what the service documents needs five levels.
const maxDepth = 64

// File is a JSON file, whatever it holds.
type File struct {
	Value  any // as decoded, numbers as json.Number
	reader *reader
}

// Parse reads exactly one JSON value. name is only for errors, which have a place; a key
// that stands twice in one object is an error, because one of the two would be lost.
func Parse(name string, data []byte) (*File, error) { return Line{name, 1, data}.parse() }

func (l Line) parse() (*File, error) {
	data := bytes.TrimPrefix(l.Text, bom)
	r := &reader{name: l.File, line: l.Number, data: data, tokens: json.NewDecoder(bytes.NewReader(data)), places: map[string]int{}}
	r.tokens.UseNumber()
	v, err := r.value("", 0)
	if err != nil {
		return nil, err
	}
	at := r.next()
	if _, err := r.tokens.Token(); !errors.Is(err, io.EOF) {
		return nil, r.errorf(at, "text after the JSON value")
	}
	return &File{Value: v, reader: r}, nil
}

// Place is where the value at a JSON pointer stands, or the nearest one around it.
func (f *File) Place(pointer string) org.Source {
	for {
		if at, ok := f.reader.places[pointer]; ok {
			return f.reader.place(at)
		}
		pointer = pointer[:max(0, strings.LastIndexByte(pointer, '/'))]
	}
}

// reader reads one JSON value and remembers where everything in it stands.
type reader struct {
	name   string
	line   int // at which the data begin
	data   []byte
	tokens *json.Decoder
	places map[string]int // JSON pointer -> offset of the value, or of the key of a member
}

// place is an offset of the data as a line and a column, both from 1.
func (r *reader) place(offset int) org.Source {
	before := r.data[:max(0, min(offset, len(r.data)))] // the decoder counts from before its first byte
	return org.Source{
		File: r.name, Line: bytes.Count(before, newline) + r.line,
		Column: len(before) - bytes.LastIndexByte(before, '\n'),
	}
}

func (r *reader) errorf(offset int, format string, args ...any) error {
	return fmt.Errorf("%s: %s", r.place(offset), fmt.Sprintf(format, args...))
}

// next is where the next token begins.
func (r *reader) next() int {
	at := int(r.tokens.InputOffset())
	for at < len(r.data) && bytes.IndexByte([]byte(" \t\r\n,:"), r.data[at]) >= 0 {
		at++
	}
	return at
}

// token is the next token; its error has a place.
func (r *reader) token() (json.Token, error) {
	t, err := r.tokens.Token()
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, r.errorf(len(r.data), "the file ends before its JSON value does")
	case errors.As(err, &syntax):
		// Of a token the offset counts from somewhere in the text, of a whole text from its begin.
		var whole any
		_ = errors.As(json.Unmarshal(r.data, &whole), &syntax)
		return nil, r.errorf(int(syntax.Offset)-1, "%s", syntax.Error())
	case err != nil:
		return nil, r.errorf(int(r.tokens.InputOffset()), "%v", err)
	}
	return t, nil
}

// value reads the value at a pointer. Numbers stay json.Number.
func (r *reader) value(pointer string, depth int) (any, error) {
	at := r.next()
	if _, known := r.places[pointer]; !known {
		r.places[pointer] = at
	}
	if depth > maxDepth {
		return nil, r.errorf(at, "the file is nested more than %d levels deep", maxDepth)
	}
	t, err := r.token()
	if err != nil {
		return nil, err
	}
	switch t {
	case json.Delim('{'):
		return r.object(pointer, depth)
	case json.Delim('['):
		return r.array(pointer, depth)
	}
	return t, nil
}

func (r *reader) object(pointer string, depth int) (any, error) {
	out := map[string]any{}
	for {
		at := r.next()
		t, err := r.token()
		if err != nil {
			return nil, err
		}
		key, ok := t.(string)
		if !ok {
			return out, nil // the closing brace: the decoder permits nothing else
		}
		member := org.Pointer(pointer, key)
		if _, twice := out[key]; twice {
			return nil, r.errorf(at, "%q stands twice in one object, first at %s; keep one of them", key, r.place(r.places[member]))
		}
		r.places[member] = at
		if out[key], err = r.value(member, depth+1); err != nil {
			return nil, err
		}
	}
}

func (r *reader) array(pointer string, depth int) (any, error) {
	out := []any{}
	for r.tokens.More() {
		v, err := r.value(pointer+"/"+strconv.Itoa(len(out)), depth+1)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	_, err := r.token()
	return out, err
}
