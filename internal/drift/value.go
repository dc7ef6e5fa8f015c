package drift

import (
	"encoding/json"

	"github.com/govctl/govctl/internal/org"
)

// Value is a JSON value or nothing: absent is neither false nor null (T28). The zero
// Value is absent; its fields are left out of JSON with omitzero.
type Value struct {
	Found bool
	JSON  any // as org.DecodeJSON makes it, redacted; meaningful when Found
}

// Some is a value that is there.
func Some(v any) Value { return Value{Found: true, JSON: v} }

// lookup is what stands at a JSON pointer of a snapshot.
func lookup(settings map[string]any, pointer string) Value {
	v, found := org.Lookup(settings, pointer)
	if !found {
		return Value{}
	}
	return Some(v)
}

// Equal reports whether both are absent or the same JSON value.
func (v Value) Equal(w Value) bool {
	return v.Found == w.Found && (!v.Found || org.EqualJSON(v.JSON, w.JSON))
}

// IsZero reports whether v is absent.
func (v Value) IsZero() bool { return !v.Found }

// MarshalJSON writes the value; an absent one, where it cannot be left out, is null.
func (v Value) MarshalJSON() ([]byte, error) { return json.Marshal(v.JSON) }

// UnmarshalJSON reads a value that is there.
func (v *Value) UnmarshalJSON(data []byte) error {
	decoded, err := org.DecodeJSON(data)
	*v = Value{Found: err == nil, JSON: decoded}
	return err
}
