package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/go-faster/jx"

	"github.com/govctl/govctl/internal/api"
)

// decoder reads answers into api structs, in one pass and strictly: keys match exactly
// (m5), a key may stand once, a field without omitempty must be there, null stands only
// for an optional field that can be absent, and nothing follows the value (m4). Unknown
// keys are skipped. It knows the fields of every type it has met. Nesting ends at the
// 10,000 levels of jx.
type decoder struct{ types sync.Map } // reflect.Type -> decodeFunc

// decodeFunc reads one value into v and notes in t where it failed.
type decodeFunc func(d *jx.Decoder, v reflect.Value, t *trail) error

// trail is the way to a fault, innermost part first.
type trail []string

// decode reads data, exactly one JSON value, into what v points to. Its errors name the
// JSON path.
func (c *decoder) decode(data []byte, v any) error {
	if !utf8.Valid(data) {
		return errors.New("the answer is not valid UTF-8")
	}
	d := jx.GetDecoder()
	defer jx.PutDecoder(d)
	d.ResetBytes(data)
	var t trail
	p := reflect.ValueOf(v).Elem()
	if err := c.of(p.Type())(d, p, &t); err != nil {
		return fmt.Errorf("%s: %w", t.String(), plainly(err))
	}
	if err := d.Skip(); !errors.Is(err, io.EOF) {
		return errors.New("$: something follows the JSON value")
	}
	return nil
}

// String writes the path as $.users[3].email.
func (t trail) String() string {
	var b strings.Builder
	b.WriteByte('$')
	for i := len(t) - 1; i >= 0; i-- {
		b.WriteString(t[i])
	}
	return b.String()
}

// plainly says what a person needs of a fault of the JSON reader.
func plainly(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the answer ends too early")
	}
	return err
}

// of returns the decodeFunc of a type, made at its first use.
func (c *decoder) of(t reflect.Type) decodeFunc {
	if f, ok := c.types.Load(t); ok {
		return f.(decodeFunc)
	}
	f, _ := c.types.LoadOrStore(t, c.build(t))
	return f.(decodeFunc)
}

func (c *decoder) build(t reflect.Type) decodeFunc {
	switch t {
	case reflect.TypeFor[json.RawMessage]():
		return decodeRaw
	case reflect.TypeFor[json.Number]():
		return decodeNumber
	case reflect.TypeFor[api.Object]():
		return decodeFree
	}
	switch t.Kind() {
	case reflect.String:
		return decodeString
	case reflect.Bool:
		return decodeBool
	case reflect.Int, reflect.Int64:
		return decodeInt
	case reflect.Pointer:
		return c.pointer(t)
	case reflect.Slice:
		return c.slice(t)
	case reflect.Map:
		return c.mapping(t)
	case reflect.Struct:
		return c.object(t)
	}
	panic("client: the API has no " + t.String())
}

// want refuses a value of another kind.
func want(d *jx.Decoder, kind jx.Type) error {
	got := d.Next()
	if got == kind {
		return nil
	}
	if got == jx.Invalid {
		if err := d.Skip(); err != nil {
			return err
		}
	}
	return fmt.Errorf("%s instead of %s", got, kind)
}

func decodeString(d *jx.Decoder, v reflect.Value, _ *trail) error {
	if err := want(d, jx.String); err != nil {
		return err
	}
	s, err := d.Str()
	v.SetString(s)
	return err
}

func decodeBool(d *jx.Decoder, v reflect.Value, _ *trail) error {
	if err := want(d, jx.Bool); err != nil {
		return err
	}
	b, err := d.Bool()
	v.SetBool(b)
	return err
}

func decodeNumber(d *jx.Decoder, v reflect.Value, _ *trail) error {
	if err := want(d, jx.Number); err != nil {
		return err
	}
	n, err := d.Raw()
	v.SetString(strings.TrimSpace(string(n)))
	return err
}

func decodeInt(d *jx.Decoder, v reflect.Value, _ *trail) error {
	if err := want(d, jx.Number); err != nil {
		return err
	}
	raw, err := d.Raw()
	if err != nil {
		return err
	}
	n, ok := integral(strings.TrimSpace(string(raw)))
	if !ok {
		return fmt.Errorf("%.40s is not a whole number of 64 bits", raw)
	}
	v.SetInt(n)
	return nil
}

// integral reads a JSON number that is whole, however it is written: 5, 5.0, 1.7e12 (m6).
func integral(s string) (int64, bool) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, true
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(s), "e")
	sign := ""
	if strings.HasPrefix(mantissa, "-") {
		sign, mantissa = "-", mantissa[1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return 0, true
	}
	shift := 0
	if exponent != "" {
		var err error
		if shift, err = strconv.Atoi(exponent); err != nil || shift > 1<<20 || shift < -1<<20 {
			return 0, false
		}
	}
	cut := strings.TrimRight(digits, "0")
	shift += len(digits) - len(cut) - len(fraction)
	if shift < 0 || len(cut)+shift > 19 {
		return 0, false
	}
	n, err := strconv.ParseInt(sign+cut+strings.Repeat("0", shift), 10, 64)
	return n, err == nil
}

func decodeRaw(d *jx.Decoder, v reflect.Value, tr *trail) error {
	raw, err := freeJSON(d, tr)
	v.SetBytes(raw)
	return err
}

// freeJSON takes a value of any shape over as it is. No key stands twice in it at any
// depth: who decodes it later would take one of the two without a word.
func freeJSON(d *jx.Decoder, tr *trail) ([]byte, error) {
	raw, err := d.Raw()
	if err != nil {
		return nil, err
	}
	raw = bytes.TrimSpace(raw)
	if raw[0] == '{' || raw[0] == '[' {
		inner := jx.GetDecoder()
		defer jx.PutDecoder(inner)
		inner.ResetBytes(raw)
		if err := unique(inner, tr); err != nil {
			return nil, err
		}
	}
	return bytes.Clone(raw), nil
}

// unique reads one value and refuses a key that stands twice in an object of it.
func unique(d *jx.Decoder, tr *trail) error {
	switch d.Next() {
	case jx.Object:
		var keys []string
		it, err := d.ObjIter()
		if err != nil {
			return err
		}
		for it.Next() {
			key := string(it.Key())
			if err := unique(d, tr); err != nil {
				*tr = append(*tr, "."+key)
				return err
			}
			keys = append(keys, key)
		}
		slices.Sort(keys)
		for i := 1; i < len(keys); i++ {
			if keys[i] == keys[i-1] {
				*tr = append(*tr, "."+keys[i])
				return errTwice
			}
		}
		return it.Err()
	case jx.Array:
		it, err := d.ArrIter()
		if err != nil {
			return err
		}
		for n := 0; it.Next(); n++ {
			if err := unique(d, tr); err != nil {
				*tr = append(*tr, "["+strconv.Itoa(n)+"]")
				return err
			}
		}
		return it.Err()
	default:
		return d.Skip()
	}
}

// decodeFree reads an object of anything, the form of free metadata, without reflection.
func decodeFree(d *jx.Decoder, v reflect.Value, tr *trail) error {
	if err := want(d, jx.Object); err != nil {
		return err
	}
	it, err := d.ObjIter()
	if err != nil {
		return err
	}
	m := api.Object{}
	for it.Next() {
		key := string(it.Key())
		_, twice := m[key]
		raw, err := freeJSON(d, tr)
		if err == nil && twice {
			err = errTwice
		}
		if err != nil {
			*tr = append(*tr, "."+key)
			return err
		}
		m[key] = raw
	}
	v.Set(reflect.ValueOf(m))
	return it.Err()
}

// errTwice refuses a key that stands twice: readers differ about which one counts.
var errTwice = errors.New("the key stands twice")

func (c *decoder) pointer(t reflect.Type) decodeFunc {
	elem := c.of(t.Elem())
	return func(d *jx.Decoder, v reflect.Value, tr *trail) error {
		p := reflect.New(t.Elem())
		err := elem(d, p.Elem(), tr)
		v.Set(p)
		return err
	}
}

func (c *decoder) slice(t reflect.Type) decodeFunc {
	elem := c.of(t.Elem())
	var longest atomic.Int64 // so far: pages are alike
	return func(d *jx.Decoder, v reflect.Value, tr *trail) error {
		if err := want(d, jx.Array); err != nil {
			return err
		}
		it, err := d.ArrIter()
		if err != nil {
			return err
		}
		v.Set(reflect.MakeSlice(t, 0, int(longest.Load())))
		n := 0
		for it.Next() {
			if n == v.Cap() {
				v.Grow(1)
			}
			v.SetLen(n + 1)
			if err := elem(d, v.Index(n), tr); err != nil {
				*tr = append(*tr, "["+strconv.Itoa(n)+"]")
				return err
			}
			n++
		}
		if n := int64(min(n, api.MaxPage)); n > longest.Load() {
			longest.Store(n)
		}
		return it.Err()
	}
}

func (c *decoder) mapping(t reflect.Type) decodeFunc {
	elem := c.of(t.Elem())
	return func(d *jx.Decoder, v reflect.Value, tr *trail) error {
		if err := want(d, jx.Object); err != nil {
			return err
		}
		it, err := d.ObjIter()
		if err != nil {
			return err
		}
		m := reflect.MakeMap(t)
		for it.Next() {
			key := reflect.ValueOf(string(it.Key()))
			if m.MapIndex(key).IsValid() {
				*tr = append(*tr, "."+key.String())
				return errTwice
			}
			e := reflect.New(t.Elem()).Elem()
			if err := elem(d, e, tr); err != nil {
				*tr = append(*tr, "."+key.String())
				return err
			}
			m.SetMapIndex(key, e)
		}
		v.Set(m)
		return it.Err()
	}
}
