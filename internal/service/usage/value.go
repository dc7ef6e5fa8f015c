package usage

import "math"

type valueKind uint8

const (
	absent valueKind = iota
	unsupported
	text
	whole
	double
	boolean
)

// Value is one attribute value, free of the wire format it came in. The zero Value is an
// attribute that is absent or has no value.
type Value struct {
	kind valueKind
	text string
	bits uint64
}

// String returns a text value.
func String(s string) Value { return Value{kind: text, text: s} }

// Int returns an integer value.
func Int(n int64) Value { return Value{kind: whole, bits: uint64(n)} }

// Double returns a floating point value.
func Double(f float64) Value { return Value{kind: double, bits: math.Float64bits(f)} }

// Bool returns a boolean value.
func Bool(b bool) Value {
	if b {
		return Value{kind: boolean, bits: 1}
	}
	return Value{kind: boolean}
}

// Unsupported returns a value of a type that no attribute of 5.2 has: array, map or bytes.
func Unsupported() Value { return Value{kind: unsupported} }

// number returns the value of an integer or a double; ok is false for anything else.
func (v Value) number() (f float64, ok bool) {
	switch v.kind {
	case whole:
		return float64(int64(v.bits)), true
	case double:
		return math.Float64frombits(v.bits), true
	default:
		return 0, false
	}
}
