package client

import (
	"errors"
	"math/bits"
	"reflect"
	"strings"

	"github.com/go-faster/jx"
)

// field is one key of an object.
type field struct {
	key      string
	index    int
	nullable bool // optional, and its type can be absent
	decode   decodeFunc
}

// object makes the decodeFunc of a struct from its json tags.
func (c *decoder) object(t reflect.Type) decodeFunc {
	var fields []field
	var required uint64
	for i := range t.NumField() {
		f := t.Field(i)
		key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if key == "" || key == "-" {
			continue
		}
		optional := strings.Contains(options, "omitempty")
		if !optional {
			required |= 1 << len(fields)
		}
		absent := f.Type.Kind() == reflect.Pointer || f.Type.Kind() == reflect.Slice || f.Type.Kind() == reflect.Map
		fields = append(fields, field{key: key, index: i, nullable: optional && absent, decode: c.of(f.Type)})
	}
	if len(fields) > 64 {
		panic("client: " + t.String() + " has more than 64 fields")
	}
	return func(d *jx.Decoder, v reflect.Value, tr *trail) error {
		return decodeObject(d, v, tr, fields, required)
	}
}

func decodeObject(d *jx.Decoder, v reflect.Value, tr *trail, fields []field, required uint64) error {
	if err := want(d, jx.Object); err != nil {
		return err
	}
	it, err := d.ObjIter()
	if err != nil {
		return err
	}
	var seen uint64
	next := 0
	for it.Next() {
		i := find(fields, it.Key(), next)
		if i < 0 {
			if err := d.Skip(); err != nil {
				*tr = append(*tr, "."+string(it.Key()))
				return err
			}
			continue
		}
		next = i + 1
		err := error(nil)
		switch {
		case seen&(1<<i) != 0:
			err = errTwice
		case fields[i].nullable && d.Next() == jx.Null:
			err = d.Null()
		default:
			err = fields[i].decode(d, v.Field(fields[i].index), tr)
		}
		if err != nil {
			*tr = append(*tr, "."+fields[i].key)
			return err
		}
		seen |= 1 << i
	}
	if err := it.Err(); err != nil {
		return err
	}
	if missing := required &^ seen; missing != 0 {
		*tr = append(*tr, "."+fields[bits.TrailingZeros64(missing)].key)
		return errors.New("the key is missing")
	}
	return nil
}

// find looks for a key, beginning where a server that keeps an order puts it next; -1 is
// nowhere.
func find(fields []field, key []byte, next int) int {
	for n := range fields {
		i := next + n
		if i >= len(fields) {
			i -= len(fields)
		}
		if fields[i].key == string(key) {
			return i
		}
	}
	return -1
}
