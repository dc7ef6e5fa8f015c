package render

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/dustin/go-humanize"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
)

// groupsPerRisk is how many different changes of one risk are shown one by one; the
// rest becomes one line with its range.
const groupsPerRisk = 8

// examples is how many members of a larger group are named.
const examples = 2

// limits are the limit changes of a plan, arranged for reading.
type limits struct {
	changes []plan.LimitChange
	groups  []group // at most groupsPerRisk+1 of each risk
	order   []int   // of changes, riskiest first
}

// group is a set of limits that change in the same way, or the tail of a risk.
type group struct {
	plan.LimitChange       // its first member
	kinds            int   // how many different changes it stands for
	high             int64 // largest After of a tail
	members          []int // of limits.changes
}

// groupLimits gathers equal changes, riskiest first: decreases by how deep they cut,
// values nobody knows, increases by factor, first settings, repetitions.
func groupLimits(changes []plan.LimitChange) limits {
	type key struct {
		action        string
		grade         org.Grade
		before, after int64
		why           string
	}
	index := map[key]int{}
	var groups []group
	for n, c := range changes {
		k := key{c.Action, c.Before.Grade, c.Before.Value, c.After, c.Why}
		i, ok := index[k]
		if !ok {
			i = len(groups)
			index[k] = i
			groups = append(groups, group{LimitChange: c, high: c.After, kinds: 1})
		}
		groups[i].members = append(groups[i].members, n)
	}
	slices.SortStableFunc(groups, func(a, b group) int {
		return cmp.Or(
			cmp.Compare(a.risk(), b.risk()),
			cmp.Compare(a.ratio(), b.ratio()),
			cmp.Compare(len(b.members), len(a.members)),
			cmp.Compare(a.After, b.After),
			cmp.Compare(a.Why, b.Why),
		)
	})
	out := limits{changes: changes, order: make([]int, 0, len(changes))}
	for _, g := range groups {
		out.order = append(out.order, g.members...)
	}
	out.groups = fold(groups)
	return out
}

// risk orders actions, riskiest first.
func (g group) risk() int {
	switch {
	case g.Action == plan.ActionLower:
		return 0
	case g.Action == plan.ActionSet && g.Before.Grade == org.Unknown:
		return 1
	case g.Action == plan.ActionRaise:
		return 2
	case g.Action == plan.ActionSet:
		return 3
	default:
		return 4
	}
}

// ratio orders changes of one action: the deepest cut and the steepest rise first.
func (g group) ratio() float64 {
	switch {
	case g.Action == plan.ActionLower && g.Before.Value > 0:
		return float64(g.After) / float64(g.Before.Value)
	case g.Action == plan.ActionRaise && g.After > 0:
		return float64(g.Before.Value) / float64(g.After)
	}
	return 0
}

// fold replaces the tail of each long run of one risk by one group.
func fold(groups []group) []group {
	var out []group
	for len(groups) > 0 {
		run := 1
		for run < len(groups) && groups[run].risk() == groups[0].risk() {
			run++
		}
		if run <= groupsPerRisk+1 {
			out = append(out, groups[:run]...)
		} else {
			out = append(append(out, groups[:groupsPerRisk]...), tail(groups[groupsPerRisk:run]))
		}
		groups = groups[run:]
	}
	return out
}

// tail is one group for several.
func tail(groups []group) group {
	out := groups[0]
	out.members = nil
	for _, g := range groups {
		out.After, out.high = min(out.After, g.After), max(out.high, g.high)
		out.members = append(out.members, g.members...)
		if g.Why != out.Why {
			out.Why = "several declarations"
		}
	}
	out.kinds = len(groups)
	slices.Sort(out.members)
	return out
}

// change says from what to what, in credits.
func (g group) change() string {
	if g.kinds == 1 {
		return changeOf(g.LimitChange)
	}
	to := "to " + humanize.Comma(g.After)
	if g.high != g.After {
		to += " … " + humanize.Comma(g.high)
	}
	return fmt.Sprintf("%s (%s different changes)", to, humanize.Comma(int64(g.kinds)))
}

// changeOf says from what to what one limit goes, in credits.
func changeOf(c plan.LimitChange) string {
	to := humanize.Comma(c.After)
	switch {
	case c.Before.Grade == org.Unknown:
		return "unknown -> " + to
	case c.Action == plan.ActionSet || c.Action == plan.ActionReassert:
		return to
	default:
		return humanize.Comma(c.Before.Value) + " -> " + to
	}
}

// named gives the first few addresses of a group and how many are not among them.
func (l limits) named(g group) (names []string, more int) {
	n := examples
	if len(g.members) <= examples+1 {
		n = len(g.members) // "and 1 more" is no shorter than the name
	}
	for _, i := range g.members[:n] {
		names = append(names, string(l.changes[i].Email))
	}
	return names, len(g.members) - n
}

// because is the declaration behind a group, with its reason if all members share one.
func (l limits) because(g group) string {
	why := g.Reason
	for _, i := range g.members {
		if l.changes[i].Reason != why {
			why = ""
			break
		}
	}
	if why == "" {
		return g.Why
	}
	return g.Why + " (" + why + ")"
}

// place is where a group is declared: the whole place, or only the file, or nothing,
// as far as all members share it.
func (l limits) place(g group) string {
	same := true
	for _, i := range g.members {
		s := l.changes[i].Source
		if s.File != g.Source.File {
			return ""
		}
		same = same && s == g.Source
	}
	if same {
		return g.Source.String()
	}
	return g.Source.File
}
