package usage

import (
	"cmp"
	"maps"
	"slices"

	"github.com/govctl/govctl/internal/api"
)

// SessionState is what all stored spans say about a session.
type SessionState struct {
	FirstDay string // UTC day of its first span, YYYY-MM-DD; "" is not known
	HasStart bool   // it has a start span on some day, also one that resumes
}

// Facts is what the spans of a day cannot say. The zero Facts is a service that knows
// nothing but the day.
type Facts struct {
	// Email returns the address of a user of the organization, "" for anyone else (5.5).
	Email func(userID string) string
	// Session is asked about each session that has no start span this day: it counts as
	// started if it has none on any day and this day is its first (F32).
	Session func(sessionID string) SessionState
	// Weekly and Monthly are the users of the 7 and the 30 days that end with this one
	// (F29, F30, T26). Fewer than the day has itself count as those, and a month is never
	// less than its week (I5).
	Weekly, Monthly int64
}

// Result is a day as the analytics API serves it. No list is nil and all are in the order
// of U2. Grouped rows are empty, not zero, when nothing happened (U7).
type Result struct {
	Tokens           api.TokenRow        // F1-F8
	TokensByModel    []api.TokenRow      // F9
	Tools            api.ToolRow         // F10-F26
	ToolsByName      []api.ToolRow       // F27
	Activity         api.ActivityRow     // F28-F34
	ActivityByClient []api.ActivityRow   // F35
	Productivity     api.ProductivityRow // F36-F41
	Users            []api.UserRow       // F42-F61, user_id ascending
}

// Result returns the rows of the day so far. It changes nothing and may be asked again.
func (d *Day) Result(f Facts) Result {
	v := d.view(f)
	return Result{
		Tokens: v.tokens(), TokensByModel: v.tokensByModel(),
		Tools: v.tools(), ToolsByName: v.toolsByName(),
		Activity: v.activity(f), ActivityByClient: v.activityByClient(),
		Productivity: v.productivity(), Users: v.userRows(),
	}
}

// view is a Day with what several rows need, computed once.
type view struct {
	day      *Day
	order    []uint32     // users by id
	emails   []string     // by user
	spent    [][]modelUse // by user, F7 order
	overall  []modelUse   // of all users, F7 order
	begins   []int64      // sessions started, by user
	sessions int64        // sessions started
	sum      counts       // of all users
	byClient map[string]int64
}

// modelUse is the use of one model in one tier.
type modelUse struct {
	model string
	tier  string
	use
}

func (d *Day) view(f Facts) *view {
	v := &view{day: d, order: d.users.byName(), emails: make([]string, len(d.users.rows)), byClient: map[string]int64{}}
	for _, id := range v.order {
		u := &d.users.rows[id]
		v.sum.add(&u.counts)
		v.emails[id] = u.email
		if f.Email != nil {
			v.emails[id] = cmp.Or(f.Email(d.users.names[id]), u.email)
		}
	}
	for p := range d.on {
		v.byClient[d.clients.names[p.other]]++
	}
	v.spent, v.overall = d.spending()
	v.begins, v.sessions = d.beginnings(f.Session)
	return v
}

// spending lists the uses of each user and of all.
func (d *Day) spending() (users [][]modelUse, all []modelUse) {
	type modelTier struct {
		model    uint32
		thinking bool
	}
	users = make([][]modelUse, len(d.users.rows))
	sums := map[modelTier]*use{}
	for k, u := range d.uses {
		users[k.user] = append(users[k.user], d.modelUse(k.model, k.thinking, *u))
		sum := sums[modelTier{k.model, k.thinking}]
		if sum == nil {
			sum = &use{}
			sums[modelTier{k.model, k.thinking}] = sum
		}
		sum.add(*u)
	}
	for k, u := range sums {
		all = append(all, d.modelUse(k.model, k.thinking, *u))
	}
	for _, list := range users {
		slices.SortFunc(list, compareUse)
	}
	slices.SortFunc(all, compareUse)
	return users, all
}

func (d *Day) modelUse(model uint32, thinking bool, u use) modelUse {
	if thinking {
		return modelUse{d.models.names[model], TierThinking, u}
	}
	return modelUse{d.models.names[model], TierStandard, u}
}

// compareUse orders by credits descending, then model and tier ascending (F7).
func compareUse(a, b modelUse) int {
	return cmp.Or(b.credits.compare(a.credits), cmp.Compare(a.model, b.model), cmp.Compare(a.tier, b.tier))
}

// beginnings counts the sessions started this day, for each user and in all (F32, F55). A
// session without any start span counts for the user of its first span.
func (d *Day) beginnings(state func(string) SessionState) (users []int64, all int64) {
	users = make([]int64, len(d.users.rows))
	begun := map[uint32]struct{}{}
	for p := range d.started {
		users[p.user]++
		begun[p.other] = struct{}{}
	}
	for id := range d.sessions.rows {
		ss := &d.sessions.rows[id]
		if ss.startSpan {
			continue
		}
		if state != nil {
			if s := state(d.sessions.names[id]); s.HasStart || s.FirstDay != "" && s.FirstDay < d.date {
				continue
			}
		}
		users[ss.first]++
		begun[uint32(id)] = struct{}{}
	}
	return users, int64(len(begun))
}

// clientNames are the client types seen this day, ascending.
func (v *view) clientNames() []string { return slices.Sorted(maps.Keys(v.byClient)) }
