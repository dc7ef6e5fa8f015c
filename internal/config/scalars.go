package config

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// word is a text with its place.
type word struct {
	text string
	at   hcl.Range
}

// present evaluates an attribute; false when it is nil, null or wrong. A null is the
// same as not written in HCL, where conditions produce it, and a mistake in YAML,
// where a forgotten value does.
func (d *decoder) present(a *hcl.Attribute) (cty.Value, bool) {
	if a == nil {
		return cty.NilVal, false
	}
	v, ok := d.value(a.Expr)
	if ok && v.IsNull() {
		if _, yaml := a.Expr.(*yamlExpr); yaml {
			d.error(a.NameRange, "write a value or leave the line out", "%s has no value", a.Name)
		}
		return v, false
	}
	return v, ok
}

func (d *decoder) string(a *hcl.Attribute) (word, bool) {
	v, ok := d.present(a)
	if !ok {
		return word{}, false
	}
	return d.asWord(a.Name, a.Expr.Range(), v)
}

// needed is string for an attribute that must be written.
func (d *decoder) needed(s *section, name string) (word, bool) {
	a := d.one(s, name)
	if a != nil {
		v, ok := d.value(a.Expr)
		if !ok {
			return word{}, false
		}
		if !v.IsNull() {
			return d.asWord(name, a.Expr.Range(), v)
		}
	}
	d.error(s.where, "add "+name, "%s needs %s", s.name, name)
	return word{}, false
}

func (d *decoder) asWord(name string, at hcl.Range, v cty.Value) (word, bool) {
	switch {
	case v.IsNull() || v.Type() != cty.String:
		d.error(at, "quote it", "%s must be text, not %s", name, kindOf(v))
	case v.AsString() == "":
		d.error(at, "write a value or leave the line out", "%s is empty", name)
	default:
		return word{v.AsString(), at}, true
	}
	return word{}, false
}

// kindOf names a value's type for people.
func kindOf(v cty.Value) string {
	t := v.Type()
	switch {
	case v.IsNull():
		return "null"
	case t == cty.Bool:
		return "true or false"
	case t == cty.Number:
		return "a number"
	case t == cty.String:
		return "text"
	case t.IsObjectType() || t.IsMapType():
		return "an object"
	default:
		return "a list"
	}
}

func (d *decoder) bool(a *hcl.Attribute) (value, ok bool) {
	v, ok := d.present(a)
	if !ok {
		return false, false
	}
	if v.Type() != cty.Bool {
		d.error(a.Expr.Range(), "write true or false, without quotes", "%s must be true or false, not %s", a.Name, kindOf(v))
		return false, false
	}
	return v.True(), true
}

// words reads a list of text.
func (d *decoder) words(a *hcl.Attribute) ([]word, bool) {
	if a == nil {
		return nil, false
	}
	if list, diags := hcl.ExprList(a.Expr); !diags.HasErrors() {
		out := make([]word, 0, len(list))
		good := true
		for _, e := range list {
			v, ok := d.value(e)
			if ok {
				var w word
				if w, ok = d.asWord("an element of "+a.Name, e.Range(), v); ok {
					out = append(out, w)
				}
			}
			good = good && ok
		}
		return out, good
	}
	v, ok := d.present(a)
	if !ok {
		return nil, false
	}
	at := a.Expr.Range()
	if !v.CanIterateElements() || v.Type().IsObjectType() || v.Type().IsMapType() {
		d.error(at, `write a list like ["a", "b"]`, "%s must be a list, not %s", a.Name, kindOf(v))
		return nil, false
	}
	var out []word
	good := true
	for it := v.ElementIterator(); it.Next(); {
		_, element := it.Element()
		w, ok := d.asWord("an element of "+a.Name, at, element)
		if good = good && ok; ok {
			out = append(out, w)
		}
	}
	return out, good
}

// distinct reads lists in which nothing may stand twice, as one.
func (d *decoder) distinct(attrs []*hcl.Attribute) []word {
	var all []word
	for _, a := range attrs {
		list, _ := d.words(a)
		all = append(all, list...)
	}
	return d.unique(all)
}

// unique reports what stands in a list twice and returns the rest.
func (d *decoder) unique(list []word) []word {
	var out []word
	first := map[string]hcl.Range{}
	for _, w := range list {
		if f, twice := first[w.text]; twice {
			d.twice(w.at, f, "keep one of them", "%q stands twice in the list", w.text)
			continue
		}
		first[w.text] = w.at
		out = append(out, w)
	}
	return out
}

func texts(list []word) []string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = w.text
	}
	return out
}

// choice reads one of a few words.
func (d *decoder) choice(a *hcl.Attribute, choices ...string) string {
	w, ok := d.string(a)
	if !ok {
		return ""
	}
	return d.chosen(w, a.Name, choices)
}

func (d *decoder) chosen(w word, name string, choices []string) string {
	if slices.Contains(choices, w.text) {
		return w.text
	}
	advice := "one of: " + strings.Join(choices, ", ")
	if near := nearest(w.text, choices); near != "" {
		advice = "did you mean " + strconv.Quote(near) + "? (" + advice + ")"
	}
	d.error(w.at, advice, "%s cannot be %q", name, w.text)
	return ""
}

// label checks a name that is 1 to 63 characters long (C163, C166).
func (d *decoder) label(w word, name string) bool {
	switch n := utf8.RuneCountInString(w.text); {
	case !utf8.ValidString(w.text):
		d.error(w.at, "", "%s is not valid UTF-8", name)
	case n < 1 || n > 63:
		d.error(w.at, "", "%s has %d characters; the service takes 1 to 63", name, n)
	case strings.IndexFunc(w.text, unicode.IsControl) >= 0:
		d.error(w.at, "", "%s contains a control character", name)
	default:
		return true
	}
	return false
}

// absolute checks an address with one of the schemes and a host, without credentials.
func (d *decoder) absolute(w word, name string, schemes ...string) bool {
	u, err := url.Parse(w.text)
	switch {
	case err != nil || u.Scheme == "" || (u.Host == "" && u.Opaque == "" && u.Path == ""):
		d.leak(w.at, "write it with its scheme, as in https://example.com", "%s is not an absolute address", name)
	case u.User != nil && hasPassword(u):
		d.leak(w.at, "keep credentials in the environment", "%s contains credentials; secrets never stand in configuration", name)
	case len(schemes) > 0 && !slices.Contains(schemes, u.Scheme):
		d.error(w.at, "use "+strings.Join(schemes, " or "), "%s has the scheme %q", name, u.Scheme)
	case len(schemes) > 0 && u.Host == "":
		d.error(w.at, "write it with its host, as in https://example.com", "%s names no host", name)
	default:
		return true
	}
	return false
}

func hasPassword(u *url.URL) bool {
	_, set := u.User.Password()
	return set || u.Scheme == "https" || u.Scheme == "http"
}
