package policy

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/govctl/govctl/internal/org"
)

// indeterminate says which paths a rule needs that the document does not have.
func (e *Engine) indeterminate(r *rule, d Document, body map[string]any) ([]org.Finding, bool) {
	var out []org.Finding
	for _, pointer := range r.Requires {
		if _, found := org.Lookup(body, pointer); found || pointer == "/kind" || pointer == "/now" {
			continue
		}
		f := r.finding(org.Indeterminate)
		f.Subject, f.Path = d.Subject, d.shown(pointer)
		f.Message = fmt.Sprintf("cannot be judged: the document has no %s", f.Path)
		if name := renamed(d.Before, body, pointer); name != "" {
			f.Message += fmt.Sprintf("; the one before had it, and %s is new: was it renamed?", d.shown(name))
		}
		out = append(out, f)
	}
	return out, len(out) > 0
}

// renamed is the pointer that a missing one may have become: something new beside it
// with a similar name, or with the same value if that says something (T27). "" means
// that nothing looks like it.
func renamed(before, now any, pointer string) string {
	parent, missing := "", ""
	for token := range strings.SplitSeq(pointer[1:], "/") {
		next := parent + "/" + token
		if _, found := org.Lookup(now, next); !found {
			missing = org.Unescape(token)
			break
		}
		parent = next
	}
	old, ok1 := lookupObject(before, parent)
	new, ok2 := lookupObject(now, parent)
	was, had := old[missing]
	if !ok1 || !ok2 || !had {
		return ""
	}
	var fresh []string
	for _, name := range slices.Sorted(maps.Keys(new)) {
		if _, there := old[name]; there {
			continue
		}
		if telling(was) && org.EqualJSON(was, new[name]) {
			return org.Pointer(parent, name)
		}
		fresh = append(fresh, name)
	}
	if best := nearest(missing, fresh); best != "" {
		return org.Pointer(parent, best)
	}
	for _, name := range fresh {
		if a, b := strings.ToLower(name), strings.ToLower(missing); strings.Contains(a, b) || strings.Contains(b, a) {
			return org.Pointer(parent, name)
		}
	}
	return ""
}

func lookupObject(doc any, pointer string) (map[string]any, bool) {
	v, _ := org.Lookup(doc, pointer)
	object, ok := v.(map[string]any)
	return object, ok
}

// telling reports whether two equal values are hardly a coincidence: true and [] are.
func telling(v any) bool {
	switch x := v.(type) {
	case nil, bool:
		return false
	case string:
		return x != ""
	case []any:
		return len(x) > 0
	case map[string]any:
		return len(x) > 0
	}
	return true
}
