package render

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/govctl/govctl/internal/plot"
	"github.com/govctl/govctl/internal/report"
)

func comma64(n int64) string { return humanize.Comma(n) }

func toolsSection(t *report.Tools) *usageSection {
	if t == nil {
		return nil
	}
	s := &usageSection{ID: "tools", Title: "Tools", Count: amount(t.Calls) + " calls"}
	if t.Unrecognised.Names > 0 {
		share := 0.0
		if t.Calls > 0 {
			share = t.Unrecognised.Calls / t.Calls
		}
		s.Lead = append(s.Lead, fmt.Sprintf("%s that no tool can have, with %s calls (%s), are left out of the list.", count(t.Unrecognised.Names, "name"), amount(t.Unrecognised.Calls), percent(share)))
	}
	add := func(title, hint string, table *usageTable) {
		if len(table.Rows) > 0 {
			s.Blocks = append(s.Blocks, usageBlock{Title: title, Hint: hint, Table: table, Half: true})
		}
	}
	add("Tools", "", countTable("Calls by tool", "Tool", "Calls", t.List, t.Calls))
	hint := ""
	if t.MCPUsers != nil {
		hint = "People who used one: " + rangeWords(t.MCPUsers, known) + "."
	}
	add("MCP servers", hint, serverTable(t))
	add("Skills", "", countTable("Skills by name", "Skill", "Uses", t.Skills, t.SkillCalls))
	add("Slash commands", "", countTable("Slash commands by name", "Command", "Uses", t.SlashCommands, t.SlashCalls))
	var rows [][]usageCell
	for _, h := range t.Hooks {
		rows = append(rows, []usageCell{{Text: Clean(h.Event), Sub: Clean(h.Matcher)}, {Text: cmp.Or(Clean(h.Command), none), Code: true}, textCell(amount(h.Count))})
	}
	add("Hooks", "", (&usageTable{Caption: "Hooks that ran", Head: head("Event", "Command", "#Runs")}).folded(rows))
	return s
}

// serverTable lists MCP servers with the spellings that were taken for one (T42).
func serverTable(t *report.Tools) *usageTable {
	var rows [][]usageCell
	for _, x := range t.Servers {
		share := 0.0
		if t.MCPCalls > 0 {
			share = x.Calls / t.MCPCalls
		}
		rows = append(rows, []usageCell{{Text: Clean(x.Name), Sub: serverWords(x), Code: true}, textCell(amount(x.Calls)), {Text: percent(share), Bar: barOf(&share)}})
	}
	return (&usageTable{Caption: "Calls by MCP server", Head: head("Server", "#Calls", "Share")}).folded(rows)
}

func autonomySection(a *report.Autonomy) *usageSection {
	if a == nil || a.Median == nil && a.Levels == nil && len(a.Delegation) == 0 {
		return nil
	}
	s := &usageSection{ID: "autonomy", Title: "Autonomy"}
	if a.CallsPerTurn != nil {
		s.Lead = append(s.Lead, ratioWords(a.CallsPerTurn)+" tool calls per user message: all calls of these days by all user messages.")
	}
	s.Lead = append(s.Lead, "The lines below are of each day; medians and percentiles of days cannot be averaged.")
	if a.Median != nil {
		s.Blocks = append(s.Blocks, usageBlock{Title: "Tool calls per user message", Chart: autonomyChart(a)})
	}
	if a.Levels != nil {
		s.Blocks = append(s.Blocks, usageBlock{
			Title: "Tool calls by autonomy level on " + Clean(a.Levels.Date), Hint: "Calls in specification mode are in none of them.", Bar: levelsBar(a.Levels), Half: true,
		})
	}
	if len(a.Delegation) > 0 {
		total := 0.0
		for _, c := range a.Delegation {
			total += c.Count
		}
		t := countTable("Days of people by delegation level", "Primary level of a day", "Days of people", a.Delegation, total)
		s.Blocks = append(s.Blocks, usageBlock{Title: "How people delegate", Hint: "A person counts once for each day, with the level of most tool calls.", Table: t, Half: true})
	}
	return s
}

func autonomyChart(a *report.Autonomy) *usageChart {
	var bars []plot.Value
	var median, ninety []float64
	table := usageTable{Caption: "Tool calls per user message", Head: head("Day", "#Median", "#90th percentile", "#Average")}
	for _, d := range a.Days {
		whole, short := dayNames(d.Date)
		label := whole + ": not reported"
		if d.Median != nil || d.Ninety != nil {
			label = fmt.Sprintf("%s: median %s, 90th percentile %s", whole, ratioWords(d.Median), ratioWords(d.Ninety))
		}
		bars = append(bars, plot.Value{Label: label, Axis: short, Unknown: d.Median == nil})
		median, ninety = append(median, orNaN(d.Median)), append(ninety, orNaN(d.Ninety))
		table.Rows = append(table.Rows, []usageCell{textCell(Clean(d.Date)), textCell(ratioWords(d.Median)), textCell(ratioWords(d.Ninety)), textCell(ratioWords(d.Average))})
	}
	desc := "Median: " + rangeWords(a.Median, ratioWords) + ". 90th percentile: " + rangeWords(a.Ninety, ratioWords) + "."
	c := newUsageChart("autonomy-chart", "Tool calls per user message, median and 90th percentile of each day", desc, bars, [][]float64{median, ninety}, []string{"l2", "l1"})
	for i := range c.Bars {
		c.Bars[i].Unknown = a.Days[i].Median == nil
	}
	c.Key = []htmlTag{{"median", "line l2"}, {"90th percentile", "line l1"}}
	c.Table = table
	return c
}

func orNaN(f *float64) float64 {
	if f == nil {
		return math.NaN()
	}
	return *f
}

// levelsBar shows shares of one day.
func levelsBar(l *report.Levels) *limitsBar {
	b := &limitsBar{}
	var label []string
	x := 0
	for i, s := range l.Shares {
		width := min(max(int(math.Round(min(max(s.Share, 0), 1)*1000)), 4), 1000-x)
		if width <= 0 {
			break
		}
		b.Parts = append(b.Parts, limitsPart{Class: fmt.Sprint("v", min(i, 4)), Name: Clean(s.Name), Number: percent(s.Share), X: x, Width: width})
		label = append(label, percent(s.Share)+" "+Clean(s.Name))
		x += width
	}
	b.Label = strings.Join(label, ", ")
	return b
}

func activitySection(a *report.Activity) *usageSection {
	if a == nil {
		return nil
	}
	s := &usageSection{ID: "activity", Title: "Activity"}
	s.Lead = append(s.Lead, fmt.Sprintf("%s sessions were started and %s messages written. People of several days are never added: they may be the same.", known(a.Sessions), known(a.Messages)))
	if a.Weekly != nil {
		s.Lead = append(s.Lead, "Active in 7 days: "+rangeWords(a.Weekly, known)+". In 30 days: "+rangeWords(a.Monthly, known)+".")
	}
	var bars []plot.Value
	var weekly []float64
	table := usageTable{Caption: "People, sessions and messages per day", Head: head("Day", "#Active", "#In 7 days", "#~In 30 days", "#Sessions", "#~Messages")}
	for _, d := range a.Days {
		bars = append(bars, dayValue(d.Date, d.Daily, known(d.Daily)+" active, "+known(d.Weekly)+" in 7 days"))
		weekly = append(weekly, orNaN(d.Weekly))
		table.Rows = append(table.Rows, []usageCell{textCell(Clean(d.Date)), textCell(known(d.Daily)), textCell(known(d.Weekly)), textCell(known(d.Monthly)), textCell(known(d.Sessions)), textCell(known(d.Messages))})
	}
	c := newUsageChart("activity-chart", "Active people per day, and in the 7 days that end with it", spanOf(bars), bars, [][]float64{weekly}, []string{"l1"})
	c.Key, c.Table = []htmlTag{{"on a day", "a0"}, {"in 7 days", "line l1"}}, table
	s.Blocks = append(s.Blocks, usageBlock{Chart: c})
	if len(a.Clients) > 0 && a.Daily != nil {
		t := countTable("People by client", "Client", "People", a.Clients, a.Daily.Last)
		s.Blocks = append(s.Blocks, usageBlock{Title: "By client on " + Clean(a.ClientsDay), Hint: "One person may use several: shares may add up to more than the whole.", Table: t, Half: true})
	}
	return s
}

func productivitySection(p *report.Productivity) *usageSection {
	if p == nil {
		return nil
	}
	s := &usageSection{ID: "productivity", Title: "What came of it"}
	s.Lead = append(s.Lead, fmt.Sprintf("%s commits and %s pull requests via the agent; %s files created and %s edited.", amount(p.Commits), amount(p.PRs), amount(p.FilesCreated), amount(p.FilesEdited)))
	var bars []plot.Value
	var prs []float64
	table := usageTable{Caption: "Commits, pull requests and files per day", Head: head("Day", "#Commits", "#Pull requests", "#~Created", "#~Edited")}
	for _, d := range p.Days {
		bars = append(bars, dayValue(d.Date, d.Commits, known(d.Commits)+" commits, "+known(d.PRs)+" pull requests"))
		prs = append(prs, orNaN(d.PRs))
		table.Rows = append(table.Rows, []usageCell{textCell(Clean(d.Date)), textCell(known(d.Commits)), textCell(known(d.PRs)), textCell(known(d.FilesCreated)), textCell(known(d.FilesEdited))})
	}
	c := newUsageChart("productivity-chart", "Commits and pull requests per day", spanOf(bars), bars, [][]float64{prs}, []string{"l1"})
	c.Key, c.Table = []htmlTag{{"commits", "a0"}, {"pull requests", "line l1"}}, table
	s.Blocks = append(s.Blocks, usageBlock{Chart: c})
	if len(p.Languages) > 0 {
		s.Blocks = append(s.Blocks, usageBlock{Title: "Files by language", Half: true, Table: countTable("Files by language", "Language", "Files", p.Languages, p.FilesCreated+p.FilesEdited)})
	}
	return s
}

func readinessSection(r *report.Readiness) *usageSection {
	if r == nil {
		return nil
	}
	s := &usageSection{ID: "readiness", Title: "Readiness", Count: comma(len(r.Repositories))}
	if len(r.Repositories) == 0 {
		s.Lead = append(s.Lead, "No report is visible to this key.")
		return s
	}
	s.Lead = append(s.Lead, "By the newest report of each repository that is visible to this key. The score is the mean over the criteria of the share that passes; the change is to the report before, in points.")
	var rows [][]usageCell
	for _, x := range r.Repositories {
		words, tone := repositoryWords(x)
		passed := none
		if x.Score != nil {
			passed = amount(x.Passed) + " of " + amount(x.Evaluated)
		}
		made := none
		if !x.CreatedAt.IsZero() {
			made = x.CreatedAt.UTC().Format("2006-01-02")
		}
		trend := usageCell{Text: changeWords(x.Change)}
		trend.Spark = sparkline(x)
		rows = append(rows, []usageCell{
			{Text: Clean(x.URL), Sub: reason(strings.Join(x.Remarks, "; "))}, {Text: knownPercent(x.Score), Bar: barOf(x.Score), Tag: words, Tone: tone},
			trend, textCell(passed), {Text: made, Sub: Clean(x.Branch)},
		})
	}
	t := (&usageTable{Caption: "Readiness by repository", Head: head("Repository", "Score", "Change", "#~Passed", "~Newest report")}).folded(rows)
	s.Blocks = append(s.Blocks, usageBlock{Table: t})
	var fails [][]usageCell
	for _, c := range failingCriteria(r) {
		share := 0.0
		if c.Evaluated > 0 {
			share = c.Passed / c.Evaluated
		}
		names := c.Failing[:min(len(c.Failing), shortList)]
		var where []string
		for _, n := range names {
			where = append(where, Clean(n))
		}
		if more := len(c.Failing) - len(names); more > 0 {
			where = append(where, "and "+comma(more)+" more")
		}
		fails = append(fails, []usageCell{
			{Text: modelName(c.ID), Code: true}, textCell(fmt.Sprintf("%d of %d", len(c.Failing), c.Repositories)), {Text: percent(share), Bar: barOf(&share)}, textCell(strings.Join(where, ", ")),
		})
	}
	if len(fails) > 0 {
		t := (&usageTable{Caption: "What fails most", Head: head("Criterion", "#Repositories", "Passes", "~Where")}).folded(fails)
		s.Blocks = append(s.Blocks, usageBlock{Title: "What fails most", Hint: "Criteria that do not pass everywhere, by how many repositories they fail in.", Table: t})
	}
	return s
}

// sparkline is the past of a score, nil for fewer than two.
func sparkline(r report.Repository) *usageChart {
	if len(r.Trend) < 2 {
		return nil
	}
	var bars []plot.Value
	var words []string
	for _, s := range r.Trend {
		label := s.At.UTC().Format("2006-01-02") + ": " + percent(s.Score)
		bars = append(bars, plot.Value{Label: label, Value: s.Score})
		words = append(words, label)
	}
	c := &usageChart{Title: "Scores: " + strings.Join(words, ", ")}
	c.Chart = plot.Draw(bars, nil, plot.Options{Height: 26, Max: 1, Slots: 8})
	return c
}
