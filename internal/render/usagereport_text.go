package render

import (
	"io"
	"strings"

	"github.com/govctl/govctl/internal/report"
)

// shortList is how many rows of a list text has.
const shortList = 5

// usageText is a summary for a terminal; the page has the rest.
func usageText(w io.Writer, r *report.Report, o Options) error {
	out, c := &printer{w: w}, newPalette(o.Color)
	out.f("%s  %s\n", c.bold("govctl report"), usageName(r))
	out.f("%s\n", c.dim("target    "+row(Clean(r.Target.BaseURL), Clean(organization(r.Target)))))
	out.f("%s\n", c.dim("days      "+windowWords(r.Window)))
	textGaps(out, c, r.Missing)
	out.f("\n%s\n", c.bold(usageHeadline(r)))
	if x := r.Credits; x != nil && x.PerDay != nil {
		out.f("  %s credits a day; %s a day lately\n", known(x.PerDay), known(x.Recent))
	}
	textUsagePeople(out, c, r.People)
	textUsageModels(out, c, r.Models)
	if x := r.Tools; x != nil {
		out.f("\n%s %s calls\n", c.bold("Tools"), amount(x.Calls))
		for _, s := range x.Servers[:min(len(x.Servers), shortList)] {
			out.f("  %s\n", row("MCP "+Clean(s.Name), amount(s.Calls), serverWords(s)))
		}
	}
	if x := r.Activity; x != nil {
		out.f("\n%s\n  active a day  %s\n", c.bold("Activity"), rangeWords(x.Daily, known))
		out.f("  sessions %s, messages %s\n", known(x.Sessions), known(x.Messages))
	}
	if x := r.Autonomy; x != nil && x.Median != nil {
		out.f("  tool calls per user message, median of a day  %s\n", rangeWords(x.Median, ratioWords))
	}
	if x := r.Productivity; x != nil {
		out.f("\n%s %s commits, %s pull requests, %s files created, %s edited\n", c.bold("Productivity"), amount(x.Commits), amount(x.PRs), amount(x.FilesCreated), amount(x.FilesEdited))
	}
	textUsageReadiness(out, c, r.Readiness)
	if x := r.Settings; x != nil && len(x.Revisions) > 0 {
		newest := x.Revisions[0]
		out.f("\n%s revision %d by %s, %s; %s in these days\n", c.bold("Settings"), newest.Revision, actorName(newest.Actor), moment(newest.UpdatedAt), count(x.InWindow, "revision"))
	}
	for _, l := range []struct {
		name string
		line *report.Line
	}{{"Drift", r.Drift}, {"Policy", r.Policy}} {
		if l.line != nil {
			out.f("\n%s %s\n", c.bold(l.name), reason(l.line.Summary))
		}
	}
	if len(r.Notes) > 0 {
		out.f("\n%s\n", c.bold("Notes"))
	}
	for _, n := range r.Notes {
		out.f("  - %s: %s\n", Clean(n.Section), reason(n.Text))
	}
	return out.err
}

func textUsagePeople(out *printer, c palette, p *report.People) {
	if p == nil {
		return
	}
	var stand []string
	for _, s := range report.Standings() {
		if n := p.Standings[s]; n > 0 {
			stand = append(stand, comma(n)+" "+standingWords(report.Person{Standing: s}))
		}
	}
	out.f("\n%s %s\n", c.bold("People"), strings.Join(stand, ", "))
	for _, x := range p.List[:min(len(p.List), shortList)] {
		out.f("  %s\n", row(Clean(x.Name()), known(x.Credits)+" credits", "declared limit "+limitOf(x), knownPercent(x.Share)))
	}
	out.more(len(p.List), shortList)
	out.f("  %s\n", c.dim("credits are those of the days above; "+limitWords))
}

func textUsageModels(out *printer, c palette, m *report.Models) {
	if m == nil || len(m.List) == 0 {
		return
	}
	out.f("\n%s\n", c.bold("Models"))
	for _, x := range m.List[:min(len(m.List), 2*shortList)] {
		words, _ := modelWords(x)
		out.f("  %s\n", row(modelName(x.ID), known(x.Credits)+" credits", knownPercent(x.Share), words))
	}
	out.more(len(m.List), 2*shortList)
}

func textUsageReadiness(out *printer, c palette, r *report.Readiness) {
	if r == nil {
		return
	}
	out.f("\n%s %s\n", c.bold("Readiness"), count(len(r.Repositories), "repository"))
	for _, x := range r.Repositories[:min(len(r.Repositories), 2*shortList)] {
		words, _ := repositoryWords(x)
		out.f("  %s\n", row(Clean(x.URL), knownPercent(x.Score), words))
	}
	out.more(len(r.Repositories), 2*shortList)
}
