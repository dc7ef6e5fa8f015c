package web

import (
	"slices"
	"strconv"
)

// list reports whether v is a list, also an empty one.
func list(v value) bool {
	_, ok := v.raw.([]any)
	return ok
}

// filled reports whether a list has something in it.
func filled(v value) bool {
	l, _ := v.raw.([]any)
	return len(l) > 0
}

// walkList goes into every element, except that a list of simple values is one change.
func walkList(pointer string, b, a value, out []change) []change {
	before, _ := b.raw.([]any)
	after, _ := a.raw.([]any)
	if simple(before) && simple(after) {
		c := listChange(pointer, b, a)
		if !b.found {
			c.Kind = "added"
		} else if !a.found {
			c.Kind = "removed"
		}
		return append(out, c)
	}
	for i := range max(len(before), len(after)) {
		out = walk(pointer+"/"+strconv.Itoa(i), element(b, i), element(a, i), out)
	}
	return out
}

func element(v value, i int) value {
	raw, _ := v.raw.([]any)
	if i >= len(raw) {
		return absent()
	}
	red, _ := v.red.([]any)
	if i >= len(red) {
		return value{raw[i], hiddenValue(), true}
	}
	return value{raw[i], red[i], true}
}

// simple reports whether a list has neither objects nor lists in it.
func simple(l []any) bool {
	return !slices.ContainsFunc(l, func(v any) bool {
		switch v.(type) {
		case map[string]any, []any:
			return true
		}
		return false
	})
}

// listChange shows a list of simple values item by item: what went, then what is there.
func listChange(pointer string, b, a value) change {
	before, _ := b.raw.([]any)
	after, _ := a.raw.([]any)
	c := change{Pointer: pointer, Kind: "changed"}
	had, has := texts(before), texts(after)
	for i := range before {
		if !has[plain(before[i])] {
			c.Items = append(c.Items, item{*show(element(b, i).red), "removed"})
		}
	}
	moved := len(c.Items) == 0
	for i := range after {
		kind := "kept"
		if !had[plain(after[i])] {
			kind, moved = "added", false
		}
		c.Items = append(c.Items, item{*show(element(a, i).red), kind})
	}
	if moved {
		c.Note = "only the order or the repetition changed"
	}
	return c
}

func texts(l []any) map[string]bool {
	set := make(map[string]bool, len(l))
	for _, v := range l {
		set[plain(v)] = true
	}
	return set
}
