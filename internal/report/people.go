package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/org"
)

// Near is the share of a declared limit from which on somebody is near it.
const Near = 0.8

// Where somebody stands with the credits of the window beside the declared limit. The
// service does not say over which period a limit counts (U66), so none of these means that
// a limit was hit.
const (
	Above     = "above"     // as many credits as the limit, or more
	Close     = "near"      // at least Near of it
	Below     = "below"     // less
	NoLimit   = "no_limit"  // no limit is declared for this address
	Ambiguous = "ambiguous" // two users have the same address (T6), or the limit is 0
	Unknown   = "unknown"   // the limits or the credits are not known
)

// Standings lists them, what matters most first.
func Standings() []string { return []string{Above, Close, Below, NoLimit, Ambiguous, Unknown} }

// Person is what one user used in the window. Automation has no address (T39).
type Person struct {
	ID         string   `json:"id"`
	Email      string   `json:"email,omitempty"` // as the service spells it
	Standing   string   `json:"standing"`
	Credits    *float64 `json:"credits"`         // nil: hidden
	PerDay     *float64 `json:"per_day"`         // credits / reported days of the window: the run-rate
	Limit      *int64   `json:"limit,omitempty"` // declared
	Why        string   `json:"why,omitempty"`   // what declares it
	Share      *float64 `json:"share_of_limit"`  // credits / limit
	LimitDays  *float64 `json:"limit_days"`      // limit / per_day: how long as many credits as the limit last at this rate
	ActiveDays int      `json:"active_days"`
	LastDay    string   `json:"last_day"`
	Sessions   float64  `json:"sessions"`
	Turns      float64  `json:"user_messages"`
	ToolCalls  float64  `json:"tool_calls"`
	Commits    float64  `json:"git_commits"`
	Model      string   `json:"model"`      // primary model of most days
	Delegation string   `json:"delegation"` // delegation level of most days

	credits     sum
	models      tally
	delegations tally
	days        map[string]bool
}

// Name is the address, or the id of somebody who has none.
func (p *Person) Name() string { return cmp.Or(p.Email, p.ID) }

// People are those who used something in the window.
type People struct {
	Active    int            `json:"active"`          // distinct users with a row in the window
	Credits   *float64       `json:"credits"`         // together; nil: hidden
	Near      float64        `json:"near"`            // the share of a limit from which on somebody is near it
	Idle      *int           `json:"idle"`            // members with a declared limit and no row; nil when limits are unknown or not declared
	Standings map[string]int `json:"standings"`       // how many stand where
	Histogram []Bucket       `json:"share_histogram"` // of those with a limit and known credits
	List      []Person       `json:"list"`            // all of them, most credits first
	Days      int            `json:"days"`            // by which PerDay divides
}

// Bucket counts people whose share of the limit is at least From and less than To; the last
// one has no end.
type Bucket struct {
	From  float64  `json:"from"`
	To    *float64 `json:"to,omitempty"`
	Count int      `json:"count"`
}

// AddUsers adds rows of analytics /users. Those of one person may come on any page (U8).
func (m *Maker) AddUsers(rows []api.UserRow) error {
	for i := range rows {
		if err := m.addUser(&rows[i]); err != nil {
			return fmt.Errorf("%s, user %.80q: %w", rows[i].Date, rows[i].UserID, err)
		}
	}
	return nil
}

func (m *Maker) addUser(row *api.UserRow) error {
	var read numbers
	credits := read.may(row.BillableTokens)
	sessions, turns, calls, commits := read.need(row.Sessions), read.need(row.UserMessages), read.need(row.ToolCalls), read.need(row.GitCommits)
	if read.err != nil {
		return read.err
	}
	p := m.people[row.UserID]
	if p == nil {
		p = &Person{ID: row.UserID, models: tally{}, delegations: tally{}, days: map[string]bool{}}
		m.people[row.UserID] = p
	}
	if p.days[row.Date] {
		return nil // pages may overlap
	}
	p.days[row.Date] = true
	if row.UserEmail != nil && *row.UserEmail != "" && row.Date >= p.LastDay {
		p.Email = *row.UserEmail // the newest: an address may have changed
	}
	p.credits.add(credits)
	p.ActiveDays++
	p.LastDay = max(p.LastDay, row.Date)
	p.Sessions, p.Turns, p.ToolCalls, p.Commits = p.Sessions+sessions, p.Turns+turns, p.ToolCalls+calls, p.Commits+commits
	if row.PrimaryModel != "" {
		p.models[row.PrimaryModel]++
	}
	if row.DelegationLevel != "" {
		p.delegations[row.DelegationLevel]++
		m.delegation[row.DelegationLevel]++
	}
	return nil
}

func (m *Maker) peopleCredits() *float64 {
	var all sum
	for _, id := range sortedKeys(m.people) {
		all.add(m.people[id].credits.value())
	}
	return all.value()
}

func (m *Maker) makePeople(c *Credits) *People {
	out := &People{
		Active: len(m.people), Credits: m.peopleCredits(), Near: Near, Standings: map[string]int{},
		List: make([]Person, 0, len(m.people)), Days: len(m.days()),
	}
	if c != nil && c.DaysReported > 0 {
		out.Days = c.DaysReported
	}
	holders := map[org.Email]int{}
	for _, p := range m.people {
		if p.Email != "" {
			holders[m.in.Key(p.Email)]++
		}
	}
	for _, p := range m.people {
		m.judge(p, holders, out.Days)
		out.Standings[p.Standing]++
		out.List = append(out.List, *p)
	}
	slices.SortFunc(out.List, func(a, b Person) int {
		return cmp.Or(compareKnown(b.Credits, a.Credits), cmp.Compare(b.ToolCalls, a.ToolCalls), cmp.Compare(a.ID, b.ID))
	})
	if m.in.Limits != nil && !m.in.LimitsUnknown {
		idle := 0
		for address := range m.in.Limits {
			if holders[address] == 0 {
				idle++
			}
		}
		out.Idle = &idle
	}
	out.Histogram = histogram(out.List)
	if n := out.Standings[Ambiguous]; n > 0 {
		m.note(SectionPeople, "%d people share an address with somebody else, or have a limit of 0: nothing is compared", n)
	}
	return out
}

// judge says where somebody stands.
func (m *Maker) judge(p *Person, holders map[org.Email]int, days int) {
	p.Credits = p.credits.value()
	p.PerDay = over(p.Credits, float64(days))
	p.Model, p.Delegation = p.models.first(), p.delegations.first()
	if m.in.LimitsUnknown {
		p.Standing = Unknown
		return
	}
	p.Standing = NoLimit
	if p.Email == "" {
		return
	}
	address := m.in.Key(p.Email)
	limit, declared := m.in.Limits[address]
	if !declared {
		return
	}
	p.Limit, p.Why = &limit.Credits, limit.Why
	switch {
	case holders[address] > 1 || limit.Credits == 0:
		p.Standing = Ambiguous
		return
	case p.Credits == nil:
		p.Standing = Unknown
		return
	}
	p.Share = over(p.Credits, float64(limit.Credits))
	if *p.Credits > 0 {
		all := float64(limit.Credits)
		p.LimitDays = over(&all, *p.Credits/float64(max(days, 1)))
	}
	switch {
	case *p.Credits >= float64(limit.Credits):
		p.Standing = Above
	case *p.Credits >= Near*float64(limit.Credits):
		p.Standing = Close
	default:
		p.Standing = Below
	}
}

// first is the name that was counted most, "" for none.
func (t tally) first() string {
	best, n := "", 0.0
	for name, c := range t {
		if c > n || c == n && name < best {
			best, n = name, c
		}
	}
	return best
}

// histogram counts shares of limits in tenths, and everybody from the whole on together.
func histogram(list []Person) []Bucket {
	const parts = 10
	var out []Bucket
	for i := range parts {
		to := float64(i+1) / parts
		out = append(out, Bucket{From: float64(i) / parts, To: &to})
	}
	out = append(out, Bucket{From: 1})
	found := false
	for _, p := range list {
		if p.Share == nil {
			continue
		}
		found = true
		i := parts
		if p.Standing != Above {
			i = min(int(*p.Share*parts), parts-1)
		}
		out[i].Count++
	}
	if !found {
		return []Bucket{}
	}
	return out
}
