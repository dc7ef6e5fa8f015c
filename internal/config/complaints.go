package config

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/govctl/govctl/internal/org"
)

// complaint is a problem that many members may share: it is told once, with the
// first of them and a count.
type complaint struct {
	first org.Email
	count int
	diags hcl.Diagnostics
	err   error
}

func (c *complaint) who() string {
	switch c.count {
	case 1:
		return string(c.first)
	case 2:
		return string(c.first) + " and 1 other member"
	}
	return fmt.Sprintf("%s and %d other members", c.first, c.count-1)
}

func count[K comparable](list map[K]*complaint, key K, email org.Email) *complaint {
	c := list[key]
	if c == nil {
		c = &complaint{first: email}
		list[key] = c
	}
	c.count++
	return c
}

// complain reports groups that disagree and conditions that fail.
func (r *resolver) complain() {
	for pair, c := range r.conflicts {
		a, b := &r.groups[pair[0]], &r.groups[pair[1]]
		if compareSources(b.limit.Source, a.limit.Source) < 0 {
			a, b = b, a
		}
		r.twice(b.at, a.at, "give one of them a higher priority", "%s and %s have different limits for %s", a.describe(), b.describe(), c.who())
	}
	for _, i := range slices.Sorted(maps.Keys(r.failures)) {
		g, c := &r.groups[i], r.failures[i]
		if c.err != nil {
			r.error(g.where.expr.Range(), "", "where of %s fails for %s: %s", g.limit.Why, c.who(), c.err)
		}
		for _, diag := range c.diags {
			text := *diag
			text.Summary = fmt.Sprintf("where of %s fails for %s: %s", g.limit.Why, c.who(), lowerFirst(diag.Summary))
			r.diagnostic(&text, "")
		}
	}
}

// ambiguous refuses an address that no member has while a member has its other
// spelling: a domain in Unicode and in ASCII form is one mailbox and two strings (T3).
func (r *resolver) ambiguous() {
	var members map[org.Email]*org.Member
	for _, limit := range r.absent {
		if !international(limit.Email) {
			continue
		}
		if members == nil {
			members = map[org.Email]*org.Member{}
			for _, m := range r.people {
				if international(m.Email) {
					members[unicodeDomain(m.Email)] = m
				}
			}
		}
		if m := members[unicodeDomain(limit.Email)]; m != nil {
			r.add(Problem{Source: limit.Source, Hint: fmt.Sprintf("write %s, as the service does", m.Spelling),
				Message: fmt.Sprintf("%s is ambiguous: no member has this address, but one has its other spelling", limit.Email)})
		}
	}
}
