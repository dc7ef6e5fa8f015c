package config

import (
	"maps"
	"slices"

	"github.com/govctl/govctl/internal/org"
)

// Declared lists the addresses that users, users_from, boosts and groups name one by
// one, sorted; those are looked for in the organization. It is nil without limits.
func (p *Project) Declared() []org.Email {
	if p.Limits == nil {
		return nil
	}
	l := p.Limits
	list := make([]org.Email, 0, len(l.users)+len(l.boosts))
	for i := range l.users {
		list = append(list, l.users[i].Email)
	}
	list = slices.AppendSeq(list, maps.Keys(l.boosts))
	for i := range l.groups {
		list = slices.AppendSeq(list, maps.Keys(l.groups[i].members))
	}
	slices.Sort(list)
	return slices.Compact(list)
}
