package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/govctl/govctl/internal/api"
)

// recentDays is how many of the last reported days make the recent pace.
const recentDays = 7

// Credits are what the organization used, day by day.
type Credits struct {
	Total        *float64    `json:"total"`  // nil: hidden by the organization on some day (U15)
	Hidden       bool        `json:"hidden"` // credits are not shown on some day
	Input        float64     `json:"input_tokens"`
	Output       float64     `json:"output_tokens"`
	DaysReported int         `json:"days_reported"`
	PerDay       *float64    `json:"per_day"`          // total / reported days: the run-rate
	Recent       *float64    `json:"per_day_recent"`   // the same of the last 7 reported days
	Declared     *Declared   `json:"declared_limits"`  // nil: none, or unknown
	Days         []CreditDay `json:"days"`             // every day of the window
	Unassigned   *float64    `json:"without_a_model"`  // total less the sum over models; nil when unknown (T41)
	ByPeople     *float64    `json:"without_a_person"` // total less the sum over people; nil when unknown (T41)
}

// Declared are the limits of the configuration together.
type Declared struct {
	Members int   `json:"members"`
	Sum     int64 `json:"sum"`
}

// CreditDay is one day of the window. A day that was not reported has no numbers.
type CreditDay struct {
	Date       string   `json:"date"`
	Reported   bool     `json:"reported"`
	Credits    *float64 `json:"credits"`
	Input      *float64 `json:"input_tokens"`
	Output     *float64 `json:"output_tokens"`
	CacheRead  *float64 `json:"cache_read_tokens"`
	CacheWrite *float64 `json:"cache_write_tokens"`
}

// AddTokens adds days of /tokens without groups.
func (m *Maker) AddTokens(rows []api.TokenRow) error {
	for _, row := range rows {
		if _, twice := m.tokens[row.Date]; twice {
			return fmt.Errorf("%s comes twice", row.Date)
		}
		for _, u := range row.ByModel {
			if err := m.addModel(row.Date, u); err != nil {
				return fmt.Errorf("%s, model %.80q: %w", row.Date, u.ModelID, err)
			}
		}
		row.ByModel, row.ByUser = nil, nil
		var check numbers
		check.need(row.InputTokens)
		check.need(row.OutputTokens)
		check.may(row.BillableTokens)
		check.may(row.CacheReadTokens)
		check.may(row.CacheWriteTokens)
		if check.err != nil {
			return fmt.Errorf("%s: %w", row.Date, check.err)
		}
		m.tokens[row.Date] = row
	}
	return nil
}

func (m *Maker) makeCredits() *Credits {
	c := &Credits{Days: []CreditDay{}}
	var total sum
	var read numbers
	var counted []*float64
	for _, day := range m.days() {
		row, reported := m.tokens[day]
		d := CreditDay{Date: day, Reported: reported}
		if reported {
			in, out := read.need(row.InputTokens), read.need(row.OutputTokens)
			d.Credits, d.Input, d.Output = read.may(row.BillableTokens), &in, &out
			d.CacheRead, d.CacheWrite = read.may(row.CacheReadTokens), read.may(row.CacheWriteTokens)
			c.DaysReported++
			c.Input, c.Output = c.Input+in, c.Output+out
			total.add(d.Credits)
			counted = append(counted, d.Credits)
		}
		c.Days = append(c.Days, d)
	}
	c.Hidden = total.unknown
	if c.DaysReported > 0 {
		c.Total = total.value()
		c.PerDay = over(c.Total, float64(c.DaysReported))
		recent := counted[max(0, len(counted)-recentDays):]
		var last sum
		for _, n := range recent {
			last.add(n)
		}
		c.Recent = over(last.value(), float64(len(recent)))
	}
	if m.in.Limits != nil && !m.in.LimitsUnknown {
		c.Declared = &Declared{Members: len(m.in.Limits)}
		for _, l := range m.in.Limits {
			c.Declared.Sum += l.Credits
		}
	}
	m.unreported(SectionCredits, c.DaysReported)
	if c.Hidden {
		m.note(SectionCredits, "credits are hidden by the organization; tokens are shown where they are known")
	}
	c.Unassigned = m.difference(SectionCredits, "models", c.Total, m.modelCredits())
	if m.has(SectionPeople) {
		c.ByPeople = m.difference(SectionPeople, "people", c.Total, m.peopleCredits())
	}
	return c
}

// difference is what of a total its parts do not have. More in the parts than in the whole
// is a contradiction (T41).
func (m *Maker) difference(section, parts string, total, have *float64) *float64 {
	if total == nil || have == nil {
		return nil
	}
	rest := rounded(*total - *have)
	if rest < 0 {
		m.warn(section, "%s add up to %s credits more than the days do", parts, plainNumber(-rest))
	}
	return &rest
}

// Model is what one model used. Nobody can say from here who may use it.
type Model struct {
	ID       string   `json:"id"`
	Tiers    []string `json:"tiers"`
	Credits  *float64 `json:"credits"` // nil: hidden
	Input    float64  `json:"input_tokens"`
	Output   float64  `json:"output_tokens"`
	Days     int      `json:"days"` // on which it was used
	LastDay  string   `json:"last_day"`
	Share    *float64 `json:"share"`    // of all credits, or of all tokens where credits are hidden
	Declared string   `json:"declared"` // allowed | blocked | not_allowed; "" when no models are declared
	Settings string   `json:"settings"` // listed | blocked | not_listed | all_allowed; "" when the settings do not say

	credits sum
	days    map[string]bool
}

// Models are the models that were used.
type Models struct {
	Declared   bool    `json:"declared"`    // the configuration declares models
	Revision   *int64  `json:"revision"`    // of the settings that were compared; nil when unknown
	List       []Model `json:"list"`        // most used first
	NotAllowed int     `json:"not_allowed"` // used although the declaration does not allow them
}

func (m *Maker) addModel(day string, u api.ModelUsage) error {
	var read numbers
	in, out, credits := read.need(u.InputTokens), read.need(u.OutputTokens), read.may(u.BillableTokens)
	if read.err != nil {
		return read.err
	}
	x := m.models[u.ModelID]
	if x == nil {
		x = &Model{ID: u.ModelID, days: map[string]bool{}}
		m.models[u.ModelID] = x
	}
	x.credits.add(credits)
	x.Input, x.Output = x.Input+in, x.Output+out
	x.days[day], x.LastDay = true, max(x.LastDay, day)
	if u.ModelTier != "" && !slices.Contains(x.Tiers, u.ModelTier) {
		x.Tiers = append(x.Tiers, u.ModelTier)
	}
	return nil
}

func (m *Maker) modelCredits() *float64 {
	var all sum
	for _, id := range sortedKeys(m.models) {
		all.add(m.models[id].credits.value())
	}
	return all.value()
}

func (m *Maker) makeModels() *Models {
	out := &Models{Declared: m.in.Models != nil, List: []Model{}}
	credits, tokens := m.modelCredits(), 0.0
	for _, x := range m.models {
		tokens += x.Input + x.Output
	}
	if m.newest != nil {
		out.Revision = &m.newest.Number
	}
	for _, x := range m.models {
		x.Credits, x.Days = x.credits.value(), len(x.days)
		slices.Sort(x.Tiers)
		if credits != nil {
			x.Share = over(x.Credits, *credits)
		} else {
			all := x.Input + x.Output
			x.Share = over(&all, tokens)
		}
		x.Declared, x.Settings = declaredStatus(m.in.Models, x.ID), settingsStatus(m.newest, x.ID)
		if x.Declared == "blocked" || x.Declared == "not_allowed" {
			out.NotAllowed++
		}
		out.List = append(out.List, *x)
	}
	slices.SortFunc(out.List, func(a, b Model) int {
		return cmp.Or(compareKnown(b.Credits, a.Credits), cmp.Compare(b.Input+b.Output, a.Input+a.Output), cmp.Compare(a.ID, b.ID))
	})
	return out
}
