package drift

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/govctl/govctl/internal/org"
)

// Unmanaged is what was seen and nothing governs. It is for people to look at, and no
// drift. Computers and models are those that sessions show: there may be others.
type Unmanaged struct {
	Members   []Member    `json:"members"`          // sorted by why and address
	Computers []SeenThing `json:"computers"`        // ids, sorted
	Models    []SeenThing `json:"models"`           // in use and not allowed, sorted
	Window    *Window     `json:"window,omitempty"` // of the tokens of Models; nil: nobody asked for usage
}

// Window is a run of UTC days, both ends included, as YYYY-MM-DD.
type Window struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// Member is an address that the declaration and the organization see differently.
type Member struct {
	Email  string      `json:"email"`
	Why    string      `json:"why"`
	Detail string      `json:"detail,omitempty"`
	Source *org.Source `json:"source,omitempty"`

	Ignored *Ignored `json:"ignored,omitempty"`
}

// Why a member is unmanaged.
const (
	WhyNoLimit   = "no_limit"        // a member without a declared limit
	WhyLeft      = "left"            // a limit is declared for somebody who is no member
	WhyMoved     = "address_changed" // the same, and the member has another address now
	WhyForgotten = "forgotten"       // no longer declared; the limit stays in force
)

// SeenThing is something that sessions or usage mention.
type SeenThing struct {
	Name     string   `json:"name"`
	Sessions int      `json:"sessions"`         // that mention it and are not archived
	Tokens   *Tokens  `json:"tokens,omitempty"` // of a model in the window; nil: none, or nobody asked
	Ignored  *Ignored `json:"ignored,omitempty"`
}

// Tokens is what one model used in a window.
type Tokens struct {
	Input    json.Number  `json:"input"`
	Output   json.Number  `json:"output"`
	Billable *json.Number `json:"billable,omitempty"` // standard credits; nil: hidden on some day (U15)
	Days     int          `json:"days"`               // on which it was used
	LastDay  string       `json:"last_day"`           // YYYY-MM-DD, UTC
}

// Usage is what models used in a window, by model.
type Usage struct {
	Window Window
	Models map[string]Tokens
	Err    error // it could not be read
}

// Sessions is what the list of sessions mentions.
type Sessions struct {
	Computers map[string]int // sessions by computer id
	Models    map[string]int // sessions by model
	Err       error          // the list could not be read to its end
}

// addUnmanaged gathers what nothing governs.
func (r *Report) addUnmanaged(in Input) {
	u := &r.Unmanaged
	u.Members, u.Computers, u.Models = members(in), []SeenThing{}, []SeenThing{}
	tokens := r.usage(in)
	if in.Sessions == nil {
		return
	}
	if err := in.Sessions.Err; err != nil {
		r.missing("sessions", "", errors.New(oneLine(err)))
	}
	declared := map[string]bool{}
	for _, c := range in.Want.Computers {
		declared[liveID(c, in)] = true
		declared[cmp.Or(c.ID, in.Last.Computers[c.Name].ID)] = true
	}
	u.Computers = seen(in.Sessions.Computers, func(id string) bool { return len(in.Want.Computers) > 0 && !declared[id] })
	counts := map[string]int{}
	maps.Copy(counts, in.Sessions.Models)
	for model := range tokens {
		counts[model] += 0 // also without a session
	}
	u.Models = seen(counts, func(model string) bool { return in.Want.Models != nil && !in.Want.Models.Permits(model) })
	for i := range u.Models {
		if used, ok := tokens[u.Models[i].Name]; ok {
			u.Models[i].Tokens = &used
		}
	}
}

// usage is what models used, nil if nobody asked or knows.
func (r *Report) usage(in Input) map[string]Tokens {
	if in.Usage == nil {
		return nil
	}
	if err := in.Usage.Err; err != nil {
		r.missing("usage", "", errors.New(oneLine(err)))
	}
	r.Unmanaged.Window = &in.Usage.Window
	return in.Usage.Models
}

func seen(counts map[string]int, of func(string) bool) []SeenThing {
	out := []SeenThing{}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		if name != "" && of(name) {
			out = append(out, SeenThing{Name: name, Sessions: counts[name]})
		}
	}
	return out
}

func members(in Input) []Member {
	moved := map[string]string{}
	for _, item := range noted(in.Plan, "address_changed") {
		moved[item.Key] = item.Detail
	}
	out := []Member{}
	for _, list := range []struct{ code, why string }{
		{"not_in_organization", WhyLeft}, {"unlisted", WhyNoLimit}, {"forgotten", WhyForgotten},
	} {
		for _, item := range noted(in.Plan, list.code) {
			m := Member{Email: item.Key, Why: list.why, Detail: item.Detail, Source: item.Source}
			if detail, ok := moved[item.Key]; ok && list.why == WhyLeft {
				m.Why, m.Detail = WhyMoved, detail
			}
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(a, b Member) int { return cmp.Or(cmp.Compare(a.Why, b.Why), cmp.Compare(a.Email, b.Email)) })
	return out
}

// oneLine is the text of an error without line breaks.
func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }
