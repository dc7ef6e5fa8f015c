package config

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/govctl/govctl/internal/org"
)

// group gives one limit to everybody it names, matches or computes.
type group struct {
	limit    org.Limit // Email is empty
	priority int64
	members  map[org.Email]bool
	match    []pattern
	where    *where // nil when not written
	at       hcl.Range
}

// names reports whether the group decides about an address without knowing more
// about the member.
func (g *group) names(email org.Email) bool {
	return g.members[email] || slices.ContainsFunc(g.match, func(p pattern) bool { return p.Match(string(email)) })
}

func (d *limitsDecoder) groups(blocks []*hcl.Block) {
	first := map[string]hcl.Range{}
	for _, b := range blocks {
		name := word{b.Labels[0], b.LabelRanges[0]}
		if at, twice := first[name.text]; twice {
			d.twice(name.at, at, "keep one of them", "group %q is declared twice", name.text)
			continue
		}
		first[name.text] = name.at
		if d.label(name, "the name of a group") {
			d.out.groups = append(d.out.groups, d.group(name, b))
		}
	}
	slices.SortFunc(d.out.groups, func(a, b group) int { return cmp.Compare(a.limit.Why, b.limit.Why) })
}

func (d *limitsDecoder) group(name word, b *hcl.Block) group {
	s := d.section(fmt.Sprintf("group %q", name.text), names("limit", "members", "match", "where", "priority", "reason"), b)
	g := group{at: b.DefRange, members: map[org.Email]bool{}, limit: org.Limit{Why: s.name, Source: d.place(b.DefRange)}}
	if a := d.one(s, "limit"); a == nil {
		d.error(s.where, "add limit", "%s needs limit", s.name)
	} else {
		g.limit.Credits, _ = d.credits(a.Expr, s.name)
	}
	if w, ok := d.string(d.one(s, "reason")); ok {
		g.limit.Reason = w.text
	}
	if a := d.one(s, "members"); a != nil {
		d.groupMembers(&g, a)
	}
	for _, w := range d.distinct(s.attrs["match"]) {
		if p, ok := d.pattern(w); ok {
			g.match = append(g.match, p)
		}
	}
	if a := d.one(s, "where"); a != nil {
		g.where = d.where(a)
	}
	if a := d.one(s, "priority"); a != nil {
		g.priority = d.priority(a)
	}
	if len(s.attrs["members"])+len(s.attrs["match"])+len(s.attrs["where"]) == 0 {
		d.error(s.where, "add members, match or where; whoever one of them selects is in the group", "%s selects nobody", s.name)
	}
	return g
}

func (d *limitsDecoder) groupMembers(g *group, a *hcl.Attribute) {
	first := map[org.Email]hcl.Range{}
	list, _ := d.words(a)
	for _, w := range list {
		email, ok := d.foreign(w.text, string(d.text(w.at)), w.at)
		if !ok {
			continue
		}
		if at, twice := first[email]; twice {
			d.twice(w.at, at, "keep one of them; addresses that differ only in case are the same", "%s stands twice in members", email)
			continue
		}
		first[email], g.members[email] = w.at, true
		d.ignored(email, d.place(w.at))
	}
}

// priority reads a whole number.
func (d *limitsDecoder) priority(a *hcl.Attribute) int64 {
	v, ok := d.present(a)
	if !ok {
		return 0
	}
	if v.Type() == cty.Number {
		if f := v.AsBigFloat(); f.IsInt() {
			if n, _ := f.Int64(); n > -1e6 && n < 1e6 {
				return n
			}
		}
	}
	d.error(a.Expr.Range(), "higher wins; without it, it is 0", "priority must be a whole number")
	return 0
}
