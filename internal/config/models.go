package config

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/govctl/govctl/internal/org"
)

// fact is an expectation with the range that declares it.
type fact struct {
	org.Expectation
	at hcl.Range
}

// models decodes the model policy and what it means for the settings. Only what is
// written is expected.
func (l *loader) models(blocks []*hcl.Block) (*org.Models, []fact) {
	if len(blocks) == 0 {
		return nil, nil
	}
	s := l.single("models", names("allowed", "blocked", "allow_custom", "allowed_base_urls", "sessions", "reset_to"), blocks)
	m := &org.Models{Source: l.place(s.where)}
	var facts []fact
	list := func(name, property string) []word {
		a := l.one(s, name)
		ids, ok := l.words(a)
		if ids = l.unique(ids); !ok {
			return ids // not written, or reported
		}
		value := make([]any, len(ids))
		for i, w := range ids {
			value[i] = w.text
		}
		facts = append(facts, l.fact(a.NameRange, "/modelPolicy/"+property, value, true))
		return ids
	}
	allowed := list("allowed", "allowedModelIds")
	blocked := list("blocked", "blockedModelIds")
	for _, w := range list("allowed_base_urls", "allowedBaseUrls") {
		l.absolute(w, "an element of allowed_base_urls", "https", "http")
	}
	if a := l.one(s, "allow_custom"); a != nil {
		if v, ok := l.bool(a); ok {
			facts = append(facts, l.fact(a.NameRange, "/modelPolicy/allowCustomModels", v, false))
		}
	}
	m.Allowed, m.Blocked = texts(allowed), texts(blocked)
	for _, b := range blocked {
		for _, a := range allowed {
			if a.text == b.text {
				l.twice(b.at, a.at, "keep one of them", "the model %q is both allowed and blocked", a.text)
			}
		}
	}
	m.Sessions = l.choice(l.one(s, "sessions"), "report", "reset")
	l.resetTo(s, m)
	return m, facts
}

func (l *loader) resetTo(s *section, m *org.Models) {
	a := l.one(s, "reset_to")
	if a == nil {
		if m.Sessions == "reset" {
			l.error(s.attrs["sessions"][0].NameRange, "add reset_to with a permitted model", "sessions = reset needs reset_to")
		}
		return
	}
	w, ok := l.string(a)
	switch {
	case !ok:
	case !m.Permits(w.text):
		l.error(w.at, "name a model that is allowed and not blocked", "reset_to names %q, which the models block does not permit", w.text)
	default:
		m.ResetTo = w.text
	}
}

func (l *loader) fact(at hcl.Range, pointer string, value any, asSet bool) fact {
	return fact{org.Expectation{Pointer: pointer, Value: value, AsSet: asSet, Source: l.place(at)}, at}
}
