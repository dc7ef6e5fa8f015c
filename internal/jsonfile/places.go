package jsonfile

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-faster/jx"

	"github.com/govctl/govctl/internal/org"
)

// Places tells where the values at some JSON pointers stand in a text that Decode has read,
// or the nearest ones around them, in the order of the pointers.
func Places(name string, data []byte, pointers []string) []org.Source {
	data = bytes.TrimPrefix(data, bom)
	s := &search{data: data, offsets: make([]int, len(pointers))}
	wanted := make([]target, len(pointers))
	for i, p := range pointers {
		wanted[i] = target{i, segments(p)}
	}
	_ = s.value(data, wanted) // Decode has read it; what is not found is placed above
	return s.places(name)
}

// places makes lines and columns of offsets, going through the data once.
func (s *search) places(name string) []org.Source {
	order := make([]int, len(s.offsets))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(s.offsets[a], s.offsets[b]) })
	out := make([]org.Source, len(order))
	line, begin, last := 1, 0, 0
	for _, i := range order {
		at := s.offsets[i]
		between := s.data[last:at]
		if n := bytes.Count(between, newline); n > 0 {
			line, begin = line+n, last+bytes.LastIndexByte(between, '\n')+1
		}
		last = at
		out[i] = org.Source{File: name, Line: line, Column: at - begin + 1}
	}
	return out
}

// segments are the names on the way to a pointer.
func segments(pointer string) []string {
	if pointer == "" {
		return nil
	}
	out := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, s := range out {
		out[i] = org.Unescape(s)
	}
	return out
}

// target is a pointer on whose way a value is.
type target struct {
	index int
	left  []string // names of it below the value
}

type search struct {
	data    []byte
	offsets []int // of the values found so far, by target
}

// value goes through a part of the data that is one value.
func (s *search) value(part []byte, wanted []target) error {
	part = bytes.TrimLeft(part, " \t\r\n")
	below := wanted[:0:0]
	for _, t := range wanted {
		s.offsets[t.index] = min(cap(s.data)-cap(part), len(s.data)) // it is a part of the same array
		if len(t.left) > 0 {
			below = append(below, t)
		}
	}
	if len(below) == 0 {
		return nil
	}
	d := jx.DecodeBytes(part)
	switch d.Next() {
	case jx.Object:
		return d.ObjBytes(func(d *jx.Decoder, key []byte) error { return s.member(d, string(key), below) })
	case jx.Array:
		n := 0
		return d.Arr(func(d *jx.Decoder) error {
			n++
			return s.member(d, strconv.Itoa(n-1), below)
		})
	}
	return nil
}

// member goes through the value with a name, if a target is there or below.
func (s *search) member(d *jx.Decoder, name string, wanted []target) error {
	var here []target
	for _, t := range wanted {
		if t.left[0] == name {
			here = append(here, target{t.index, t.left[1:]})
		}
	}
	if len(here) == 0 {
		return d.Skip()
	}
	part, err := d.Raw()
	if err != nil {
		return err
	}
	return s.value(part, here)
}
