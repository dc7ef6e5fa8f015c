package config

import (
	"cmp"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/hashicorp/hcl/v2"

	"github.com/govctl/govctl/internal/org"
)

// Ignores are ignore rules in their order; the last one that matches decides.
type Ignores struct {
	rules    []org.IgnoreRule
	patterns []ignorePattern
}

// NewIgnores puts the rules of lists one after the other. Their patterns must be good, as
// those of ReadIgnores and of a Project are.
func NewIgnores(lists ...[]org.IgnoreRule) *Ignores {
	out := &Ignores{rules: slices.Concat(lists...)}
	for _, r := range out.rules {
		out.patterns = append(out.patterns, splitIgnore(r.Pattern))
	}
	return out
}

// Rules are the rules in their order.
func (i *Ignores) Rules() []org.IgnoreRule { return i.rules }

// Matches reports whether rule n matches an object, or the part of one at a JSON pointer.
// A rule for an object matches all of its parts, and one for a setting everything below.
func (i *Ignores) Matches(n int, kind, key, pointer string) bool {
	p := i.patterns[n]
	if p.kind != kind || p.pointer != "" && !covers(p.pointer, pointer) {
		return false
	}
	name, key := p.name, strings.TrimPrefix(key, "/")
	if kind == "member" {
		name, key = string(org.Fold(name)), string(org.Fold(key))
	}
	return covers(name, key)
}

// covers reports whether a pattern matches a path or something above it.
func covers(pattern, path string) bool {
	for at := 0; at <= len(path); at++ {
		if at < len(path) && path[at] != '/' || at == 0 {
			continue
		}
		if ok, err := doublestar.Match(pattern, path[:at]); ok && err == nil {
			return true
		}
	}
	return false
}

// ignorePattern is KIND/NAME[#/JSON/POINTER] in its parts.
type ignorePattern struct{ kind, name, pointer string }

// splitIgnore divides a pattern. A pointer of a setting is its name.
func splitIgnore(text string) ignorePattern {
	var p ignorePattern
	rest := text
	if i := strings.LastIndex(text, "#/"); i >= 0 {
		rest, p.pointer = text[:i], text[i+1:]
	}
	p.kind, p.name, _ = strings.Cut(rest, "/")
	if p.kind == "setting" {
		p.name = strings.TrimPrefix(p.name+p.pointer, "/")
		p.pointer = ""
	}
	return p
}

// ignoreKinds are the kinds of objects that a drift report has.
func ignoreKinds() []string { return []string{"computer", "member", "model", "setting"} }

// ignorable says what is wrong with a pattern, and what to write instead.
func ignorable(text string) (problem, advice string) {
	p := splitIgnore(text)
	switch {
	case p.kind == "limit":
		return "limits cannot be read, so no drift report has any", "remove the line"
	case !slices.Contains(ignoreKinds(), p.kind):
		return "it must begin with " + strings.Join(ignoreKinds(), ", "), cmp.Or(didYouMean(p.kind, ignoreKinds()), "write it like setting/networkPolicy/allowedIps or computer/build-*")
	case p.name == "":
		return "it names no " + p.kind, "write " + p.kind + "/** for all of them"
	case p.pointer != "" && p.kind != "computer":
		return "a " + p.kind + " has no parts", "write it without " + p.pointer
	case !doublestar.ValidatePattern(p.name) || !doublestar.ValidatePattern(p.pointer):
		return "it is not a pattern", "* stands for any part of a name, ** for any names, \\ before a character for itself"
	}
	return "", ""
}

// driftBlock decodes what a project says of drift: its ignore rules, sorted by pattern.
func (l *loader) driftBlock(blocks []*hcl.Block) []org.IgnoreRule {
	if len(blocks) == 0 {
		return nil
	}
	s := l.section("drift", with(names(), "ignore", "pattern"), blocks...)
	var out []org.IgnoreRule
	first := map[string]hcl.Range{}
	for _, b := range s.blocks["ignore"] {
		rule := l.ignoreRule(b)
		if at, twice := first[rule.Pattern]; twice {
			l.twice(b.DefRange, at, "keep one of them", "the same ignore rule is declared twice")
			continue
		}
		first[rule.Pattern] = b.DefRange
		out = append(out, rule)
	}
	slices.SortFunc(out, func(a, b org.IgnoreRule) int { return cmp.Compare(a.Pattern, b.Pattern) })
	return out
}

// ignoreRule decodes one rule. It says why, or it is none.
func (l *loader) ignoreRule(b *hcl.Block) org.IgnoreRule {
	out := org.IgnoreRule{Pattern: b.Labels[0], Source: l.place(b.DefRange)}
	s := l.section("ignore", names("reason", "owner", "expires"), b)
	if strings.HasPrefix(out.Pattern, "!") {
		l.error(b.LabelRanges[0], "write it in "+IgnoreFile+", where the order of lines is theirs", "an ignore rule of the configuration cannot be a negation")
	} else if problem, advice := ignorable(out.Pattern); problem != "" {
		l.error(b.LabelRanges[0], advice, "the ignore rule %q means nothing: %s", out.Pattern, problem)
	}
	if w, ok := l.needed(s, "reason"); ok {
		out.Reason = w.text
	}
	if w, ok := l.string(l.one(s, "owner")); ok {
		out.Owner = w.text
	}
	if w, ok := l.string(l.one(s, "expires")); ok {
		if _, ok := l.date(w, "expires"); ok {
			out.Expires = w.text
		}
	}
	return out
}
