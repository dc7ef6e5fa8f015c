package config

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/govctl/govctl/internal/org"
)

// hooks decodes the commands that machines should run on events, sorted by event and
// matcher and otherwise in order. nil means that nothing is declared.
func (l *loader) hooks(blocks []*hcl.Block) []org.Hook {
	if len(blocks) == 0 {
		return nil
	}
	s := l.section("hooks", with(&hcl.BodySchema{}, "on", "event"), blocks...)
	out := []org.Hook{}
	first := map[org.Hook]hcl.Range{}
	for _, b := range s.blocks["on"] {
		h, ok := l.hook(b)
		if !ok {
			continue
		}
		if at, twice := first[h]; twice {
			l.twice(b.DefRange, at, "keep one of them", "the same hook of %s is declared twice", h.Event)
			continue
		}
		first[h] = b.DefRange
		h.Source = l.place(b.DefRange)
		out = append(out, h)
	}
	slices.SortStableFunc(out, func(a, b org.Hook) int {
		return cmp.Or(cmp.Compare(a.Event, b.Event), cmp.Compare(a.Matcher, b.Matcher))
	})
	return out
}

func (l *loader) hook(b *hcl.Block) (org.Hook, bool) {
	event := word{b.Labels[0], b.LabelRanges[0]}
	s := l.section(fmt.Sprintf("on %q", event.text), names("command", "matcher"), b)
	h := org.Hook{Event: l.chosen(event, "an event", org.HookEvents())}
	if w, ok := l.needed(s, "command"); ok {
		h.Command = w.text
	}
	if w, ok := l.string(l.one(s, "matcher")); ok {
		h.Matcher = w.text
		if h.Event != "" && h.Event != "PostToolUse" {
			l.error(w.at, "leave it out", "only hooks of PostToolUse have a matcher")
			return h, false
		}
	}
	return h, h.Event != "" && h.Command != ""
}
