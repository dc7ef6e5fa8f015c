package jsonfile

import (
	"bytes"
	"strconv"
	"strings"
	"sync"

	"github.com/go-faster/jx"

	"github.com/govctl/govctl/internal/org"
)

// List places values of a file that holds a long list, element by element: Places goes
// through the file for every call. It may be used by several goroutines at once.
type List struct {
	name, pointer string
	data          []byte

	once     sync.Once
	elements []element
}

// element is where an element of the list begins.
type element struct {
	offset, line, column int // line and column from 0
}

// NewList is for a text that Decode has read, with a list at a JSON pointer. Nothing is looked
// for before it is asked for; a list that is not there has no elements.
func NewList(name string, data []byte, pointer string) *List {
	return &List{name: name, pointer: pointer, data: bytes.TrimPrefix(data, bom)}
}

// Places is Places of the whole file.
func (l *List) Places(pointers []string) []org.Source {
	l.once.Do(l.find)
	out := make([]org.Source, len(pointers))
	inside := map[int][]int{} // indexes of the pointers, by element
	for i, p := range pointers {
		n := l.elementOf(p)
		inside[n] = append(inside[n], i)
	}
	for n, indexes := range inside {
		at, prefix := element{}, 0
		if n >= 0 {
			at, prefix = l.elements[n], len(l.pointer)+len("/")+len(strconv.Itoa(n))
		}
		some := make([]string, len(indexes))
		for i, index := range indexes {
			some[i] = pointers[index][prefix:]
		}
		for i, place := range Places(l.name, l.data[at.offset:], some) {
			if place.Line == 1 {
				place.Column += at.column
			}
			place.Line += at.line
			out[indexes[i]] = place
		}
	}
	return out
}

// elementOf is the number of the element in which a pointer lies, -1 if in none.
func (l *List) elementOf(pointer string) int {
	rest, ok := strings.CutPrefix(pointer, l.pointer+"/")
	if !ok {
		return -1
	}
	name, _, _ := strings.Cut(rest, "/")
	n, err := strconv.Atoi(name)
	if err != nil || n < 0 || n >= len(l.elements) || strconv.Itoa(n) != name {
		return -1
	}
	return n
}

// find finds the elements.
func (l *List) find() {
	s := &search{data: l.data, offsets: make([]int, 1)}
	_ = s.value(l.data, []target{{0, segments(l.pointer)}})
	d := jx.DecodeBytes(l.data[s.offsets[0]:])
	if d.Next() != jx.Array {
		return
	}
	var last element
	begin := 0 // of the line
	_ = d.Arr(func(d *jx.Decoder) error {
		part, err := d.Raw()
		if err != nil {
			return err
		}
		part = bytes.TrimLeft(part, " \t\r\n")
		at := cap(l.data) - cap(part)
		between := l.data[last.offset:at]
		if n := bytes.Count(between, newline); n > 0 {
			last.line, begin = last.line+n, last.offset+bytes.LastIndexByte(between, '\n')+1
		}
		last.offset, last.column = at, at-begin
		l.elements = append(l.elements, last)
		return nil
	})
}
