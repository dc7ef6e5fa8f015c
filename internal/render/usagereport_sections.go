package render

import (
	"fmt"
	"math"

	"github.com/govctl/govctl/internal/plot"
	"github.com/govctl/govctl/internal/report"
)

// rowsShown is how many rows of a table a page shows; a few more are folded.
const (
	rowsShown  = 12
	rowsFolded = 200
)

// folded parts rows into those that are shown and those below a fold.
func (t *usageTable) folded(rows [][]usageCell) *usageTable {
	t.Rows = rows[:min(len(rows), rowsShown)]
	t.Rest = rows[len(t.Rows):min(len(rows), rowsShown+rowsFolded)]
	t.RestOf = comma(len(t.Rest)) + " more"
	if more := len(rows) - len(t.Rows) - len(t.Rest); more > 0 {
		t.More = comma(more) + " more; all of them are in the JSON output."
	}
	return t
}

func creditsSection(r *report.Report) *usageSection {
	c := r.Credits
	if c == nil {
		return nil
	}
	s := &usageSection{ID: "credits", Title: "Credits per day"}
	if c.PerDay != nil {
		s.Lead = append(s.Lead, fmt.Sprintf("%s credits a day over %s; %s a day over the last 7 of them.", known(c.PerDay), count(c.DaysReported, "reported day"), known(c.Recent)))
	}
	if d := c.Declared; d != nil {
		s.Lead = append(s.Lead, fmt.Sprintf("The declared limits of %s add up to %s credits; %s.", count(d.Members, "member"), comma64(d.Sum), limitWords))
	}
	var bars []plot.Value
	var recent []float64
	table := usageTable{Caption: "Credits and tokens per day", Head: head("Day", "#Credits", "#Tokens in", "#Tokens out", "#~From the cache")}
	for i, d := range c.Days {
		shown, what := d.Credits, " credits"
		if c.Hidden && d.Reported {
			shown, what = d.Input, " tokens in"
		}
		bars = append(bars, dayValue(d.Date, shown, known(shown)+what))
		recent = append(recent, meanOf(c.Days[max(0, i-6):i+1], c.Hidden))
		table.Rows = append(table.Rows, []usageCell{textCell(Clean(d.Date)), textCell(known(d.Credits)), textCell(known(d.Input)), textCell(known(d.Output)), textCell(known(d.CacheRead))})
	}
	title := "Credits per day"
	if c.Hidden {
		title = "Tokens in per day; credits are hidden by the organization"
	}
	ch := newUsageChart("credits-chart", title, spanOf(bars), bars, [][]float64{recent}, []string{"l1"})
	ch.Key = []htmlTag{{"a day", "a0"}, {"mean of the 7 days that end with it", "line l1"}}
	ch.Table = table
	s.Blocks = append(s.Blocks, usageBlock{Chart: ch})
	return s
}

// meanOf is the mean of the days that have a value, NaN without one.
func meanOf(days []report.CreditDay, hidden bool) float64 {
	all, n := 0.0, 0
	for _, d := range days {
		v := d.Credits
		if hidden {
			v = d.Input
		}
		if v != nil {
			all, n = all+*v, n+1
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return all / float64(n)
}

func peopleSection(p *report.People) *usageSection {
	if p == nil {
		return nil
	}
	s := &usageSection{ID: "people", Title: "People and declared limits", Count: comma(p.Active)}
	s.Lead = append(s.Lead, "Credits are those of the days of this report; "+limitWords+". A limit \"lasts\" as long as that many credits do at the rate of these days.")
	if p.Idle != nil {
		s.Lead = append(s.Lead, comma(*p.Idle)+" members have a declared limit and used nothing in these days.")
	}
	if len(p.Histogram) > 0 {
		s.Blocks = append(s.Blocks, usageBlock{Chart: histogramChart(p)})
	}
	var high, top [][]usageCell
	for _, x := range p.List {
		if x.Standing == report.Above || x.Standing == report.Close {
			high = append(high, personRow(x))
		}
	}
	for _, x := range p.List[:min(len(p.List), rowsShown+rowsFolded)] {
		top = append(top, personRow(x))
	}
	columns := head("Person", "#Credits", "#~A day", "Of the declared limit", "#~It lasts", "#~Active days", "~Mostly")
	if len(high) > 0 {
		t := (&usageTable{Caption: "People near a declared limit or above it", Head: columns}).folded(high)
		s.Blocks = append(s.Blocks, usageBlock{Title: "At " + percent(p.Near) + " of a declared limit or more", Table: t})
	} else if p.Idle != nil {
		s.Lead = append(s.Lead, fmt.Sprintf("Nobody used as many credits as %s of a declared limit in these days.", percent(p.Near)))
	}
	t := (&usageTable{Caption: "People by credits", Head: columns}).folded(top)
	t.More = restOfPeople(p, len(t.Rows)+len(t.Rest))
	s.Blocks = append(s.Blocks, usageBlock{Title: "Most credits", Table: t})
	return s
}

// restOfPeople sums up those for whom there is no row.
func restOfPeople(p *report.People, shown int) string {
	if shown >= len(p.List) {
		return ""
	}
	all, hidden := 0.0, false
	for _, x := range p.List[shown:] {
		if x.Credits == nil {
			hidden = true
			continue
		}
		all += *x.Credits
	}
	line := "The other " + peopleWords(len(p.List)-shown) + " used " + amount(all) + " credits together"
	if hidden {
		line = "Another " + peopleWords(len(p.List)-shown) + " used something"
	}
	return line + "; all of them are in the JSON output."
}

func personRow(p report.Person) []usageCell {
	of := usageCell{Text: knownPercent(p.Share) + " of " + limitOf(p), Bar: barOf(p.Share), Sub: Clean(p.Why)}
	switch p.Standing {
	case report.Above:
		of.Tag, of.Tone = "above", "bad"
	case report.Close:
		of.Tag, of.Tone = "near", "warn"
	case report.NoLimit, report.Ambiguous, report.Unknown:
		of = usageCell{Text: standingWords(p)}
	}
	name := usageCell{Text: Clean(p.Name())}
	if p.Email == "" {
		name.Sub = "no address"
	}
	return []usageCell{
		name, textCell(known(p.Credits)), textCell(known(p.PerDay)), of,
		textCell(lastsWords(p)), textCell(comma(p.ActiveDays)), {Text: modelName(p.Model), Sub: Clean(p.Delegation)},
	}
}

// histogramChart shows how many people are how far into their limits.
func histogramChart(p *report.People) *usageChart {
	var bars []plot.Value
	table := usageTable{Caption: "People by share of their declared limit", Head: head("Share of the limit", "#People")}
	for i, b := range p.Histogram {
		name := fmt.Sprintf("%s to %s", percent(b.From), knownPercent(b.To))
		axis := percent(b.From)
		if b.To == nil {
			name, axis = "the whole limit or more", "100 %+"
		}
		if i == 0 {
			axis = "0 %"
		}
		bars = append(bars, plot.Value{Label: name + ": " + peopleWords(b.Count), Axis: axis, Value: float64(b.Count)})
		table.Rows = append(table.Rows, []usageCell{textCell(name), textCell(comma(b.Count))})
	}
	c := newUsageChart("limits-chart", "How many people used which share of their declared limit", "Ten steps of ten percent, and those at the whole limit or more.", bars, nil, nil)
	c.Table = table
	return c
}

func modelsSection(m *report.Models) *usageSection {
	if m == nil || len(m.List) == 0 {
		return nil
	}
	s := &usageSection{ID: "models", Title: "Models", Count: comma(len(m.List))}
	if m.Revision != nil {
		s.Lead = append(s.Lead, fmt.Sprintf("Beside the declared list, and what the settings list as of revision %d. Neither says who may use a model.", *m.Revision))
	}
	var rows [][]usageCell
	for _, x := range m.List {
		words, tone := modelWords(x)
		name := usageCell{Text: modelName(x.ID), Code: true}
		for _, t := range x.Tiers {
			name.Sub = firstText(name.Sub, Clean(t))
		}
		rows = append(rows, []usageCell{
			name, {Tag: words, Tone: tone}, {Text: knownPercent(x.Share), Sub: known(x.Credits) + " credits", Bar: barOf(x.Share)},
			textCell(settingsModelWords(x)), textCell(comma(x.Days)), textCell(Clean(x.LastDay)),
		})
	}
	t := (&usageTable{Caption: "Models that were used", Head: head("Model", "Declared", "Share", "~Settings", "#~Days", "~Last used")}).folded(rows)
	s.Blocks = append(s.Blocks, usageBlock{Table: t})
	return s
}

// countTable lists names with a bar for their share.
func countTable(caption, name, what string, list []report.Count, total float64) *usageTable {
	var rows [][]usageCell
	for _, c := range list {
		share := 0.0
		if total > 0 {
			share = c.Count / total
		}
		rows = append(rows, []usageCell{{Text: modelName(c.Name), Code: true}, textCell(amount(c.Count)), {Text: percent(share), Bar: barOf(&share)}})
	}
	return (&usageTable{Caption: caption, Head: head(name, "#"+what, "Share")}).folded(rows)
}
