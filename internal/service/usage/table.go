package usage

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// table numbers names in the order they come and keeps a row for each. Numbers are small
// keys of other tables. The zero table is empty.
type table[T any] struct {
	ids   map[string]uint32
	names []string
	rows  []T
}

// id returns the number of a name, with a zero row when it is new. The name is copied: it
// may be a piece of a large buffer.
func (t *table[T]) id(name string) uint32 {
	if id, ok := t.ids[name]; ok {
		return id
	}
	if t.ids == nil {
		t.ids = map[string]uint32{}
	}
	name = strings.Clone(name)
	id := uint32(len(t.rows))
	t.ids[name] = id
	t.names = append(t.names, name)
	var zero T
	t.rows = append(t.rows, zero)
	return id
}

// row returns the row of a name. It moves when the next name is new.
func (t *table[T]) row(name string) *T { return &t.rows[t.id(name)] }

// byName returns all numbers, names ascending by their bytes.
func (t *table[T]) byName() []uint32 {
	ids := make([]uint32, len(t.names))
	for i := range ids {
		ids[i] = uint32(i)
	}
	slices.SortFunc(ids, func(a, b uint32) int { return cmp.Compare(t.names[a], t.names[b]) })
	return ids
}

// ranked returns an item for every name: count descending, then name ascending (U2).
func ranked[T any](t *table[int64], item func(name string, n json.Number) T) []T {
	ids := t.byName()
	slices.SortStableFunc(ids, func(a, b uint32) int { return cmp.Compare(t.rows[b], t.rows[a]) })
	items := make([]T, len(ids))
	for i, id := range ids {
		items[i] = item(t.names[id], count(t.rows[id]))
	}
	return items
}
