package drift

import "iter"

// tree is a set of JSON pointers.
type tree struct {
	exact map[string]bool
	above map[string]bool // of which something below is in the set
}

func newTree() *tree { return &tree{map[string]bool{}, map[string]bool{}} }

func (t *tree) add(pointer string) {
	t.exact[pointer] = true
	for p := range upwards(pointer) {
		t.above[p] = true
	}
}

// covers reports whether pointer or something above it is in the set.
func (t *tree) covers(pointer string) bool {
	for p := range upwards(pointer) {
		if t.exact[p] {
			return true
		}
	}
	return false
}

// touches reports whether pointer, something above it or something below it is in the
// set.
func (t *tree) touches(pointer string) bool { return t.covers(pointer) || t.above[pointer] }

// upwards yields a pointer and everything above it, the whole document last.
func upwards(pointer string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for yield(pointer) && pointer != "" {
			pointer = parent(pointer)
		}
	}
}
