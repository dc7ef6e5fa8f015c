package report

// Autonomy is how much the agent does by itself. Averages and percentiles of days are
// neither added nor averaged (T40): the series is shown, its last day and its range.
type Autonomy struct {
	Days         []AutonomyDay `json:"days"`
	Median       *Range        `json:"autonomy_ratio_p50"`
	Ninety       *Range        `json:"autonomy_ratio_p90"`
	CallsPerTurn *float64      `json:"tool_calls_per_user_message"` // ratio of the totals of the window, not a mean of ratios; nil without both
	Levels       *Levels       `json:"levels"`                      // of the last day that has them
	Delegation   []Count       `json:"delegation"`                  // days of people by their primary delegation level
}

// AutonomyDay is one day of the window.
type AutonomyDay struct {
	Date    string   `json:"date"`
	Average *float64 `json:"autonomy_ratio_avg"`
	Median  *float64 `json:"autonomy_ratio_p50"`
	Ninety  *float64 `json:"autonomy_ratio_p90"`
}

// Levels are the shares of tool calls by autonomy level on one day. Calls in spec mode are
// in none of them (U18).
type Levels struct {
	Date   string  `json:"date"`
	Shares []Share `json:"shares"` // auto-high, auto-medium, auto-low, manual, then any other
}

// Share is a part of 1.
type Share struct {
	Name  string  `json:"name"`
	Share float64 `json:"share"`
}

// levelNames are the keys of tool_autonomy_level_ratio by the delegation levels they are
// about (T44). There is none for spec.
func levelNames() [][2]string {
	return [][2]string{{"auto_high", "auto-high"}, {"auto_medium", "auto-medium"}, {"auto_low", "auto-low"}, {"manual", "manual"}}
}

func (m *Maker) makeAutonomy(r *Report) *Autonomy {
	out := &Autonomy{Days: []AutonomyDay{}, Delegation: []Count{}}
	if m.has(SectionPeople) {
		out.Delegation = m.delegation.list()
	}
	if !m.has(SectionTools) {
		return out
	}
	for _, day := range m.days() {
		d := m.toolDays[day] // an unreported day has no values
		out.Days = append(out.Days, AutonomyDay{day, d.average, d.median, d.ninety})
		out.Median, out.Ninety = out.Median.see(day, d.median), out.Ninety.see(day, d.ninety)
		if shares := levelShares(d.levels); len(shares) > 0 {
			out.Levels = &Levels{day, shares}
		}
	}
	if r.Activity != nil && r.Activity.UserMessages != nil && r.Activity.DaysReported == r.Tools.DaysReported {
		out.CallsPerTurn = over(&r.Tools.Calls, *r.Activity.UserMessages)
	}
	return out
}

// levelShares are the shares that are not 0, in the order of autonomy.
func levelShares(levels map[string]float64) []Share {
	var out []Share
	known := map[string]bool{}
	for _, name := range levelNames() {
		known[name[0]] = true
		if share := levels[name[0]]; share > 0 {
			out = append(out, Share{name[1], rounded(share)})
		}
	}
	for _, name := range sortedKeys(levels) {
		if !known[name] && levels[name] > 0 {
			out = append(out, Share{name, rounded(levels[name])})
		}
	}
	return out
}
