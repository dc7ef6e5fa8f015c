package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/govctl/govctl/internal/org"
)

// Resolve decides what every member should have. A declared address that no member
// has stays in Wanted.Limits; the plan reports it. The error is Problems when the
// rules do not decide: groups that disagree, a condition that fails on a member, an
// address that is spelt in two ways. Resolve may be called again with other members;
// it is not safe for concurrent use.
func (p *Project) Resolve(members []org.Member, now time.Time) (org.Wanted, error) {
	w := org.Wanted{Computers: p.Computers, Expectations: p.Expectations, Models: p.Models}
	if p.Limits == nil {
		return w, nil
	}
	l := p.Limits
	w.LimitsDeclared, w.UnlistedMode, w.ReassertAfter = true, l.Unlisted, l.ReassertAfter
	r := resolver{
		Limits: l, report: &report{sources: l.sources, secret: map[int]bool{}},
		now: now, people: people(members), wanted: &w, shared: true, conflicts: map[[2]int]*complaint{}, failures: map[int]*complaint{},
	}
	r.resolve()
	r.complain()
	r.ambiguous()
	if err := r.err(); err != nil {
		return org.Wanted{}, err
	}
	return w, nil
}

// people are the members with an address, sorted by it, one for each.
func people(members []org.Member) []*org.Member {
	list := make([]*org.Member, 0, len(members))
	for i := range members {
		if members[i].Email != "" {
			list = append(list, &members[i])
		}
	}
	order := func(a, b *org.Member) int {
		if c := strings.Compare(string(a.Email), string(b.Email)); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	}
	if !slices.IsSortedFunc(list, order) {
		slices.SortFunc(list, order)
	}
	return slices.CompactFunc(list, func(a, b *org.Member) bool { return a.Email == b.Email })
}

type resolver struct {
	*Limits
	*report
	now       time.Time
	people    []*org.Member
	wanted    *org.Wanted
	shared    bool        // wanted.Limits is the beginning of users
	absent    []org.Limit // declared for addresses no member has
	conflicts map[[2]int]*complaint
	failures  map[int]*complaint
}

// resolve walks three sorted lists at once: users, members, and what boosts and
// groups name besides.
func (r *resolver) resolve() {
	others := r.others()
	r.wanted.Limits = r.users[:0:0] // as long as they are what everybody gets, they are not copied
	i, j, k := 0, 0, 0
	for i < len(r.users) || j < len(r.people) || k < len(others) {
		email := r.smallest(i, j, k, others)
		var user *org.Limit
		var member *org.Member
		if i < len(r.users) && r.users[i].Email == email {
			user = &r.users[i]
			i++
		}
		if j < len(r.people) && r.people[j].Email == email {
			member = r.people[j]
			j++
		}
		if k < len(others) && others[k] == email {
			k++
		}
		r.decide(email, user, member)
	}
}

func (r *resolver) smallest(i, j, k int, others []org.Email) org.Email {
	email := org.Email("\xff") // after every address
	if i < len(r.users) {
		email = min(email, r.users[i].Email)
	}
	if j < len(r.people) {
		email = min(email, r.people[j].Email)
	}
	if k < len(others) {
		email = min(email, others[k])
	}
	return email
}

// others are the addresses that boosts and groups name, sorted.
func (r *resolver) others() []org.Email {
	list := slices.Collect(maps.Keys(r.boosts))
	for _, g := range r.groups {
		list = slices.AppendSeq(list, maps.Keys(g.members))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// decide applies the precedence: boost, users, group, default.
func (r *resolver) decide(email org.Email, user *org.Limit, member *org.Member) {
	if member != nil && len(r.ignore) > 0 && slices.ContainsFunc(r.ignore, func(p pattern) bool { return p.Match(string(email)) }) {
		r.wanted.Ignored++
		return
	}
	limit, found := r.boosted(email)
	switch {
	case found:
	case user != nil:
		if n := len(r.wanted.Limits); r.shared && n < len(r.users) && user == &r.users[n] {
			r.wanted.Limits = r.users[: n+1 : n+1]
			if member == nil {
				r.absent = append(r.absent, *user)
			}
			return
		}
		limit, found = *user, true
	default:
		if limit, found = r.grouped(email, member); !found && member != nil && r.fallback != nil {
			limit, found = *r.fallback, true
		}
	}
	switch {
	case found:
		limit.Email = email
		if r.shared {
			r.shared = false
			r.wanted.Limits = slices.Grow(r.wanted.Limits, max(len(r.users), len(r.people)/2)-len(r.wanted.Limits)+1)
		}
		r.wanted.Limits = append(r.wanted.Limits, limit)
		if member == nil {
			r.absent = append(r.absent, limit)
		}
	case member != nil && r.Unlisted != "ignore":
		r.wanted.Unlisted = append(r.wanted.Unlisted, email)
	}
}

func (r *resolver) boosted(email org.Email) (org.Limit, bool) {
	for _, b := range r.boosts[email] {
		if b.active(r.now) {
			return b.limit, true
		}
	}
	return org.Limit{}, false
}

// grouped finds the group of highest priority. Of groups with the same limit the
// first by name is given as the reason.
func (r *resolver) grouped(email org.Email, member *org.Member) (org.Limit, bool) {
	best := -1
	for i := range r.groups {
		g := &r.groups[i]
		if best >= 0 && g.priority < r.groups[best].priority {
			continue
		}
		if !g.names(email) && !r.selected(i, member) {
			continue
		}
		switch {
		case best < 0 || g.priority > r.groups[best].priority:
			best = i
		case g.limit.Credits != r.groups[best].limit.Credits:
			count(r.conflicts, [2]int{best, i}, email)
		}
	}
	if best < 0 {
		return org.Limit{}, false
	}
	return r.groups[best].limit, true
}

// selected reports whether the condition of a group holds for a member.
func (r *resolver) selected(i int, member *org.Member) bool {
	w := r.groups[i].where
	if w == nil || member == nil {
		return false
	}
	yes, diags, err := w.selects(member)
	if err != nil || len(diags) > 0 {
		c := count(r.failures, i, member.Email)
		if c.count == 1 {
			c.diags, c.err = diags, err
		}
	}
	return yes
}

// describe is how a conflict names a group.
func (g *group) describe() string { return fmt.Sprintf("%s (%d)", g.limit.Why, g.limit.Credits) }
