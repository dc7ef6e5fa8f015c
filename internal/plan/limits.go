package plan

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/govctl/govctl/internal/org"
)

// Actions of a limit change. Set starts from nothing known; the others from a value
// the service once confirmed.
const (
	ActionSet      = "set"
	ActionRaise    = "raise"
	ActionLower    = "lower"
	ActionReassert = "reassert"
)

// LimitChange is one member's limit to be sent.
type LimitChange struct {
	Action string
	Email  org.Email // the key
	SendAs string    // the service's own spelling of the address
	UserID string    // "" when the member list was not read
	Before LimitBefore
	After  int64
	Why    string // which declaration won: boost, users, users_from, group "NAME", default
	Reason string
	Source org.Source
}

// LimitBefore is what the ledger knew. It is never called the current value.
type LimitBefore struct {
	Grade org.Grade
	Value int64     // the last confirmed value; only for confirmed and expired
	At    time.Time // when it was confirmed; zero otherwise
}

// addLimits decides for every wanted limit whether it must be sent.
func (p *Plan) addLimits(in Input) {
	if !in.Want.LimitsDeclared {
		p.addForgotten(in)
		return
	}
	if !in.Have.MembersRead {
		p.gap("members")
	}
	people := byAddress(in.Have.Members)
	var missing, ambiguous, rejoined []NoteItem
	for _, l := range in.Want.Limits {
		if !in.Selection.Includes("limit", string(l.Email)) {
			continue
		}
		m, twice := people.find(l.Email)
		switch {
		case twice:
			ambiguous = append(ambiguous, NoteItem{Key: string(l.Email), Source: at(l.Source)})
			continue
		case m == nil && in.Have.MembersRead:
			missing = append(missing, NoteItem{Key: string(l.Email), Detail: l.Why, Source: at(l.Source)})
			continue
		case m == nil:
			m = new(org.Member) // nobody knows
		}
		known, _ := in.Last.Limits.Of(l.Email)
		if known.Grade == org.Confirmed && known.UserID != "" && m.ID != "" && known.UserID != m.ID {
			rejoined = append(rejoined, NoteItem{Key: string(l.Email), Detail: known.UserID + " -> " + m.ID, Source: at(l.Source)})
			known = org.KnownLimit{Grade: org.Unknown}
		}
		p.addLimit(l, *m, known, in)
	}
	p.noteItems("not_in_organization", "declared, but not in the organization: nothing is sent", missing)
	p.noteItems("ambiguous_address", "two members share this address but for case: nothing is sent", ambiguous)
	p.noteItems("rejoined", "the address belongs to another account now: it will be set again", rejoined)
	p.addMoved(in, missing)
	p.addForgotten(in)
	p.addUnlisted(in)
	p.addUngoverned(in)
}

// addLimit compares one wanted limit with what the ledger knows.
func (p *Plan) addLimit(l org.Limit, m org.Member, known org.KnownLimit, in Input) {
	before := LimitBefore{Grade: known.Grade}
	if before.Grade == "" {
		before.Grade = org.NeverSet
	}
	if before.Grade == org.Confirmed {
		before.Value, before.At = known.Credits, known.At.UTC()
		if in.Want.ReassertAfter > 0 && in.Now.After(known.At.Add(in.Want.ReassertAfter)) {
			before.Grade = org.Expired
		}
	}
	s := &p.Summary.Limits
	c := LimitChange{
		Email: l.Email, SendAs: m.Spelling, UserID: m.ID, Before: before, After: l.Credits,
		Why: l.Why, Reason: l.Reason, Source: l.Source,
	}
	if c.SendAs == "" {
		c.SendAs = string(l.Email)
	}
	switch {
	case before.Grade == org.NeverSet || before.Grade == org.Unknown:
		c.Action = ActionSet
		s.Set++
	case l.Credits > before.Value:
		c.Action = ActionRaise
		s.Raise++
	case l.Credits < before.Value:
		c.Action = ActionLower
		s.Lower++
	case before.Grade == org.Expired:
		c.Action = ActionReassert
		s.Reassert++
	default:
		s.Unchanged++
		return
	}
	if n := len(p.Limits); n == cap(p.Limits) { // append alone grows long lists by a quarter
		p.Limits = slices.Grow(p.Limits, max(64, min(n, len(in.Want.Limits)-n)))
	}
	p.Limits = append(p.Limits, c)
}

// addForgotten says which limits stay in force although nothing declares them any
// more: the API cannot remove one (T12, U67).
func (p *Plan) addForgotten(in Input) {
	known := 0
	for _, l := range in.Want.Limits {
		if _, ok := in.Last.Limits.Of(l.Email); ok {
			known++
		}
	}
	if known == in.Last.Limits.Len() {
		return // everything remembered is wanted: the usual case, and the largest
	}
	wanted := make(map[org.Email]bool, len(in.Want.Limits))
	for _, l := range in.Want.Limits {
		wanted[l.Email] = true
	}
	var items []NoteItem
	for e, k := range in.Last.Limits.All() {
		if k.Grade == org.NeverSet || wanted[e] || !in.Selection.Includes("limit", string(e)) {
			continue
		}
		detail := "last outcome unknown"
		if k.Grade == org.Confirmed {
			detail = fmt.Sprintf("%d credits, last set by govctl %s", k.Credits, k.At.UTC().Format(time.RFC3339))
		}
		items = append(items, NoteItem{Key: string(e), Detail: detail})
	}
	p.noteItems("forgotten", "removed from configuration; the limit stays in force on the service", items)
}

// addMoved hints that a missing address belongs to a member who now has another one
// (T13).
func (p *Plan) addMoved(in Input, missing []NoteItem) {
	if len(missing) == 0 {
		return
	}
	byID := make(map[string]org.Member, len(in.Have.Members))
	for _, m := range in.Have.Members {
		byID[m.ID] = m
	}
	var items []NoteItem
	for _, i := range missing {
		known, _ := in.Last.Limits.Of(org.Email(i.Key))
		if m, ok := byID[known.UserID]; known.UserID != "" && ok {
			items = append(items, NoteItem{Key: i.Key, Detail: known.UserID + " now has " + m.Spelling, Source: i.Source})
		}
	}
	p.noteItems("address_changed", "the member has another address now: declare that one", items)
}

// addUnlisted reports members nobody declared a limit for.
func (p *Plan) addUnlisted(in Input) {
	if in.Want.UnlistedMode == "ignore" {
		return
	}
	var items []NoteItem
	for _, e := range in.Want.Unlisted {
		if in.Selection.Includes("limit", string(e)) {
			items = append(items, NoteItem{Key: string(e)})
		}
	}
	if len(items) == 0 {
		return
	}
	p.note(Note{
		Code:    "unlisted",
		Message: "members without a declared limit",
		Refuses: in.Want.UnlistedMode == "error",
		Items:   items,
	})
}

// addUngoverned counts the members no limit can be for: those the project leaves alone
// and those the service shows without an address (U54).
func (p *Plan) addUngoverned(in Input) {
	if n := in.Want.Ignored; n > 0 {
		p.note(Note{Code: "ignored", Message: fmt.Sprintf("members left alone by ignore patterns: %d", n)})
	}
	var items []NoteItem
	for _, m := range in.Have.Members {
		if m.Email == "" {
			items = append(items, NoteItem{Key: m.ID})
		}
	}
	p.noteItems("no_address", "members without an address: they cannot be governed", items)
}

// people finds members by address. Who is asked for comes in order, and so do members.
type people struct {
	members []org.Member // by address
	at      int          // before it are only smaller addresses than the last one asked for
}

func byAddress(members []org.Member) people {
	order := func(a, b org.Member) int { return strings.Compare(string(a.Email), string(b.Email)) }
	if !slices.IsSortedFunc(members, order) {
		members = slices.SortedStableFunc(slices.Values(members), order)
	}
	return people{members: members}
}

// find returns the member with an address, nil if nobody has it, or says that two members
// share it: nobody can tell them apart (T6). Members without an address cannot be
// governed (U54).
func (p *people) find(e org.Email) (m *org.Member, twice bool) {
	if p.at > 0 && p.members[p.at-1].Email >= e {
		p.at, _ = slices.BinarySearchFunc(p.members, e, func(m org.Member, e org.Email) int {
			return strings.Compare(string(m.Email), string(e))
		})
	}
	for p.at < len(p.members) && p.members[p.at].Email < e {
		p.at++
	}
	for i := p.at; e != "" && i < len(p.members) && p.members[i].Email == e; i++ {
		twice = twice || m != nil && m.ID != p.members[i].ID
		m = &p.members[i]
	}
	return m, twice
}
