package drift

import (
	"cmp"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/govctl/govctl/internal/org"
)

// How a value differs from the one before.
const (
	Added   = "added"
	Removed = "removed"
	Changed = "changed"
)

// Difference is one place where two JSON documents differ.
type Difference struct {
	Path   string `json:"path"`   // JSON pointer
	Change string `json:"change"` // added | removed | changed
	Before Value  `json:"before,omitzero"`
	After  Value  `json:"after,omitzero"`
	Items  *Items `json:"items,omitempty"` // how a list changed, where that says more than both lists
}

// Items says how one list became another.
type Items struct {
	Added     []Value      `json:"added,omitempty"`
	Removed   []Value      `json:"removed,omitempty"`
	Changed   []ItemChange `json:"changed,omitempty"`   // objects that stayed, with what changed inside
	Reordered bool         `json:"reordered,omitempty"` // what stayed stands in another order
}

// ItemChange is one object of a list that stayed and changed.
type ItemChange struct {
	Key     string       `json:"key"`     // by which it was recognized: its id, else its model and address
	Changes []Difference `json:"changes"` // paths inside the object
}

// Diff lists the places where two JSON values differ, sorted by path. Objects are
// compared member by member, lists as a whole: their indices are not names (T32).
// Numbers compare by value. The order of lists of ids and addresses does not count
// (T30), that of any other list does (T31).
func Diff(before, after any) []Difference {
	var out []Difference
	walk("", "", Some(before), Some(after), &out)
	slices.SortFunc(out, func(a, b Difference) int { return cmp.Compare(a.Path, b.Path) })
	return out
}

// walk adds the differences at and below pointer. Name is its last token, unescaped.
func walk(pointer, name string, before, after Value, out *[]Difference) {
	if before.Found && after.Found && identical(before.JSON, after.JSON) {
		return
	}
	x, object1 := before.JSON.(map[string]any)
	y, object2 := after.JSON.(map[string]any)
	if object1 && object2 {
		for k, v := range x {
			w, found := y[k]
			if !found || !identical(v, w) {
				walk(org.Pointer(pointer, k), k, Some(v), Value{found, w}, out)
			}
		}
		for k, w := range y {
			if _, found := x[k]; !found {
				walk(org.Pointer(pointer, k), k, Value{}, Some(w), out)
			}
		}
		return
	}
	d := Difference{Path: pointer, Change: Changed, Before: before, After: after}
	switch {
	case before.Equal(after):
		return
	case !before.Found:
		d.Change = Added
	case !after.Found:
		d.Change = Removed
	default:
		a, list1 := before.JSON.([]any)
		b, list2 := after.JSON.([]any)
		if list1 && list2 {
			d.Items = items(a, b)
			if isSet(name) && d.Items.orderOnly() {
				return
			}
		}
	}
	*out = append(*out, d)
}

// identical recognizes values that are one and the same, without looking inside: whoever
// reads a history lets neighbours share what is equal.
func identical(a, b any) bool {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		return ok && len(x) == len(y) && reflect.ValueOf(x).Pointer() == reflect.ValueOf(y).Pointer()
	case []any:
		y, ok := b.([]any)
		return ok && len(x) == len(y) && (len(x) == 0 || &x[0] == &y[0])
	default:
		return a == b
	}
}

// isSet reports whether the order of the list called name means nothing.
func isSet(name string) bool {
	return strings.HasSuffix(name, "Ids") || strings.HasSuffix(name, "Emails")
}

func (i *Items) orderOnly() bool {
	return len(i.Added) == 0 && len(i.Removed) == 0 && len(i.Changed) == 0
}

// items compares two lists. Objects are recognized by what names them, anything else by
// its value; an equal element that comes more often now is added.
func items(before, after []any) *Items {
	out := &Items{}
	left := map[string][]any{}
	var order []string // keys of before
	keys1, keys2 := keysOf(before, after)
	for i, v := range before {
		left[keys1[i]] = append(left[keys1[i]], v)
		order = append(order, keys1[i])
	}
	stayed := map[string]int{}
	var now []string // keys that stayed, in the order of after
	for i, w := range after {
		key := keys2[i]
		rest := left[key]
		if len(rest) == 0 {
			out.Added = append(out.Added, Some(w))
			continue
		}
		left[key] = rest[1:]
		stayed[key]++
		now = append(now, key)
		if changes := inside(rest[0], w); len(changes) > 0 {
			out.Changed = append(out.Changed, ItemChange{Key: key, Changes: changes})
		}
	}
	var then []string
	for i, key := range order {
		if stayed[key] > 0 {
			stayed[key]--
			then = append(then, key)
		} else {
			out.Removed = append(out.Removed, Some(before[i]))
		}
	}
	out.Reordered = !slices.Equal(then, now)
	return out
}

// inside compares two objects of a list. Their index only says where they stand.
func inside(before, after any) []Difference {
	return slices.DeleteFunc(Diff(before, after), func(d Difference) bool { return d.Path == "/index" })
}

// keysOf names the elements of two lists: by id where all have different ones, else by
// model and address, else by value.
func keysOf(before, after []any) (keys1, keys2 []string) {
	for _, name := range []func(map[string]any) string{byID, byModel} {
		a, ok1 := named(before, name)
		b, ok2 := named(after, name)
		if ok1 && ok2 {
			return a, b
		}
	}
	return byValue(before), byValue(after)
}

// named gives the key of every element, or false if one has none or two share one.
func named(list []any, name func(map[string]any) string) ([]string, bool) {
	keys, seen := make([]string, len(list)), map[string]bool{}
	for i, v := range list {
		object, _ := v.(map[string]any)
		keys[i] = name(object)
		if keys[i] == "" || seen[keys[i]] {
			return nil, false
		}
		seen[keys[i]] = true
	}
	return keys, true
}

func byID(o map[string]any) string {
	id, _ := o["id"].(string)
	return id
}

func byModel(o map[string]any) string {
	model, _ := o["model"].(string)
	if model == "" {
		return ""
	}
	base, _ := o["baseUrl"].(string)
	return strings.TrimSpace(model + " " + base)
}

func byValue(list []any) []string {
	keys := make([]string, len(list))
	for i, v := range list {
		keys[i] = canonical(v)
	}
	return keys
}

// canonical is the text of a JSON value, equal for equal values: members are sorted and
// numbers are written as they compare.
func canonical(v any) string {
	data, err := json.Marshal(normal(v))
	if err != nil {
		return "" // not a JSON value: never from DecodeJSON
	}
	return string(data)
}

// normal writes equal numbers alike.
func normal(v any) any {
	switch x := v.(type) {
	case map[string]any:
		out := maps.Clone(x)
		for k, w := range x {
			out[k] = normal(w)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, w := range x {
			out[i] = normal(w)
		}
		return out
	case json.Number:
		return plainNumber(x)
	case org.Hidden:
		return x.Identity()
	}
	return v
}
