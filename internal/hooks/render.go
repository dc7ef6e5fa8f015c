package hooks

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"github.com/govctl/govctl/internal/org"
)

type groupJSON struct {
	Matcher string     `json:"matcher,omitempty"`
	Hooks   []itemJSON `json:"hooks"`
}

// itemJSON has no timeout: nobody knows its unit (T46).
type itemJSON struct {
	Type    string `json:"type"`
	Command string `json:"command"`
}

// Render writes hooks.json: events sorted, the hooks of an event and matcher together in
// the order given. It never writes a timeout, whose unit is not stated (T46).
func Render(hooks []org.Hook) []byte {
	file := map[string][]groupJSON{}
	for _, h := range hooks {
		groups := file[h.Event]
		i := slices.IndexFunc(groups, func(g groupJSON) bool { return g.Matcher == h.Matcher })
		if i < 0 {
			groups, i = append(groups, groupJSON{Matcher: h.Matcher}), len(groups)
		}
		groups[i].Hooks = append(groups[i].Hooks, itemJSON{"command", h.Command})
		file[h.Event] = groups
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // commands have > and &, which people read
	e.SetIndent("", "  ")
	if err := e.Encode(file); err != nil {
		panic(err) // texts can be encoded
	}
	return b.Bytes()
}

// Difference is a hook that is only declared, or only in the file.
type Difference struct {
	org.Hook
	Change string `json:"change"` // missing | extra
}

// Compare says how the hooks of a file differ from the declared ones, sorted. Order and
// timeouts are not compared: nothing is known of what they mean. A hook that stands more
// often on one side differs by the rest.
func Compare(declared []org.Hook, file []Hook) []Difference {
	key := func(h org.Hook) org.Hook { h.Source = org.Source{}; return h }
	left := map[org.Hook]int{}
	for _, h := range file {
		left[key(h.Hook)]++
	}
	out := []Difference{}
	for _, h := range declared {
		if left[key(h)]--; left[key(h)] < 0 {
			out = append(out, Difference{h, "missing"})
		}
	}
	for _, h := range slices.Backward(file) { // the first ones are those declared
		if left[key(h.Hook)] > 0 {
			left[key(h.Hook)]--
			out = append(out, Difference{h.Hook, "extra"})
		}
	}
	slices.SortStableFunc(out, func(a, b Difference) int {
		return cmp.Or(cmp.Compare(a.Event, b.Event), cmp.Compare(a.Matcher, b.Matcher),
			cmp.Compare(a.Command, b.Command), cmp.Compare(a.Change, b.Change))
	})
	return out
}
