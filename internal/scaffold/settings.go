package scaffold

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/govctl/govctl/internal/org"
)

// Scopes of the settings that are declared.
const (
	AllSettings = "all"    // every property, and the models block
	ModelsOnly  = "models" // the models block
	NoSettings  = "none"   // only what is named by pointer
)

// Settings is the newest revision and what of it to declare.
type Settings struct {
	Revision org.Revision // secrets redacted
	Scope    string
	Pointers []string // JSON pointers, declared whatever the scope is; they lead somewhere
	Declared []string // pointers the project declares already, which are left alone
	NoModels bool     // the project has a models block already
}

// settings declares the models and the leaves of the snapshot.
func (o Organization) settings(g *Generated) {
	s := o.Settings
	r := s.Revision
	p := o.page("Settings")
	p.comment("Revision %d, by %s on %s.\nThe API cannot write settings: a difference is something for an administrator to\nchange in the web application.", r.Number, quote(r.Actor.Email), quote(r.UpdatedAt))
	rest := r.Settings
	if s.Scope != NoSettings && !s.NoModels {
		var m models
		if m, rest = splitModels(r.Settings); m.any() {
			p.space()
			p.models(m)
			g.Models = true
		}
	}
	tree := map[string]any{}
	if s.Scope == AllSettings {
		tree = rest
	}
	for _, pointer := range s.Pointers {
		if v, found := org.Lookup(rest, pointer); found {
			tree = grafted(tree, tokensOf(pointer), v)
		}
	}
	e := expecting{declared: s.Declared}
	said, _ := e.object(tree, "", 0)
	if len(said) > 0 {
		p.space()
		b := p.within(p.body.AppendNewBlock("settings", nil).Body())
		b.raw("expect", expression(said))
	}
	if len(e.omitted) > 0 {
		p.space()
		p.omissions(e.omitted)
	}
	g.Settings, g.Omitted = e.leaves, append(g.Omitted, e.omitted...)
	if g.Models || len(said) > 0 {
		g.add("settings.hcl", p)
	}
}

// models is the part of modelPolicy that the models block declares.
type models struct {
	lists       map[string][]string // by attribute
	allowCustom *bool
}

func (m models) any() bool { return len(m.lists) > 0 || m.allowCustom != nil }

// modelLists are the attributes of the models block that hold lists.
var modelLists = []struct{ attribute, property string }{
	{"allowed", "allowedModelIds"}, {"blocked", "blockedModelIds"}, {"allowed_base_urls", "allowedBaseUrls"},
}

// splitModels takes what a models block can say out of a snapshot, which stays as it is.
func splitModels(settings map[string]any) (models, map[string]any) {
	m := models{lists: map[string][]string{}}
	policy, ok := settings["modelPolicy"].(map[string]any)
	if !ok {
		return m, settings
	}
	policy = maps.Clone(policy)
	for _, l := range modelLists {
		texts, ok := distinct(policy[l.property])
		if ok && l.attribute == "allowed_base_urls" {
			ok = !slices.ContainsFunc(texts, func(s string) bool { return !webAddress(s) })
		}
		if ok && l.attribute == "blocked" {
			ok = !slices.ContainsFunc(texts, func(s string) bool { return slices.Contains(m.lists["allowed"], s) })
		}
		if ok {
			m.lists[l.attribute] = texts
			delete(policy, l.property)
		}
	}
	if allow, ok := policy["allowCustomModels"].(bool); ok {
		m.allowCustom = &allow
		delete(policy, "allowCustomModels")
	}
	rest := maps.Clone(settings)
	if rest["modelPolicy"] = policy; len(policy) == 0 && m.any() {
		delete(rest, "modelPolicy")
	}
	return m, rest
}

// distinct is a list of different, sayable, not empty texts.
func distinct(v any) ([]string, bool) {
	elements, ok := v.([]any)
	if !ok {
		return nil, false
	}
	out := []string{}
	for _, e := range elements {
		s, ok := e.(string)
		if !ok || s == "" || unsayableText(s) != "" || slices.Contains(out, s) {
			return nil, false
		}
		out = append(out, s)
	}
	return out, true
}

// webAddress reports whether configuration takes s as an absolute http address.
func webAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil
}

func (p *page) models(m models) {
	b := p.within(p.body.AppendNewBlock("models", nil).Body())
	for _, l := range modelLists {
		if texts, ok := m.lists[l.attribute]; ok {
			b.raw(l.attribute, words(texts))
		}
	}
	if m.allowCustom != nil {
		b.raw("allow_custom", expression(*m.allowCustom))
	}
	b.comment("sessions = \"report\" # or \"reset\" with reset_to: what to do with sessions on other models")
}

// expecting collects what of a snapshot can be expected.
type expecting struct {
	declared []string
	leaves   int
	omitted  []Omission
}

// object is the part of an object that can be said; ok is false when nothing is left.
func (e *expecting) object(x map[string]any, base string, depth int) (map[string]any, bool) {
	out := map[string]any{}
	for _, k := range slices.Sorted(maps.Keys(x)) {
		pointer := org.Pointer(base, k)
		if e.taken(pointer) {
			continue
		}
		inner, isObject := x[k].(map[string]any)
		why := unsayableText(k)
		switch {
		case k == "":
			why = isNameless
		case why != "":
		case isObject && len(inner) > 0 && !secret(inner) && depth < maxDepth:
			if said, ok := e.object(inner, pointer, depth+1); ok {
				out[k] = said
			}
			continue
		case e.split(pointer):
			continue
		default:
			why = unsayable(x[k], depth)
		}
		if why != "" {
			e.omitted = append(e.omitted, Omission{"setting", pointer, why})
			continue
		}
		out[k] = x[k]
		e.leaves++
	}
	return out, len(out) > 0
}

// taken reports whether the project expects something at pointer already.
func (e *expecting) taken(pointer string) bool { return slices.Contains(e.declared, pointer) }

// split reports whether the project expects a part of what is at pointer.
func (e *expecting) split(pointer string) bool {
	return slices.ContainsFunc(e.declared, func(d string) bool { return strings.HasPrefix(d, pointer+"/") })
}

// grafted returns tree with v at the place that the names lead to. Trees are shared with
// the snapshot and not changed.
func grafted(tree map[string]any, names []string, v any) map[string]any {
	out := maps.Clone(tree)
	if len(names) == 1 {
		out[names[0]] = v
		return out
	}
	inner, ok := out[names[0]].(map[string]any)
	if !ok {
		if _, whole := out[names[0]]; whole {
			return out // the list that it is in is declared as a whole
		}
		inner = map[string]any{}
	}
	out[names[0]] = grafted(inner, names[1:], v)
	return out
}

// tokensOf splits a JSON pointer.
func tokensOf(pointer string) []string {
	names := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, n := range names {
		names[i] = org.Unescape(n)
	}
	return names
}

// Missing names the pointers that are no pointers, or lead nowhere in the snapshot.
func (s Settings) Missing() []string {
	var out []string
	for _, p := range s.Pointers {
		if _, found := org.Lookup(s.Revision.Settings, p); !found || p == "" {
			out = append(out, fmt.Sprintf("%q", p))
		}
	}
	return out
}
