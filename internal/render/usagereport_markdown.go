package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/govctl/govctl/internal/report"
)

// usageMarkdown writes a report for an issue, a chat or a wiki.
func usageMarkdown(w io.Writer, r *report.Report, o Options) error {
	d := newDocument(o, "")
	d.must("## govctl report: %s\n\n", span(usageName(r)))
	d.must("**%s**, %s. Target %s, %s.\n", prose(usageHeadline(r)), span(windowWords(r.Window)), span(r.Target.BaseURL), span(organization(r.Target)))
	d.section("Not everything could be read", "", len(r.Missing), func(i int) string {
		g := r.Missing[i]
		return fmt.Sprintf("- **unknown**: %s: %s", span(strings.TrimSpace(g.Fact+" "+g.Key)), spanReason(g.Error))
	})
	for _, l := range []struct {
		name string
		line *report.Line
	}{{"Drift", r.Drift}, {"Policy", r.Policy}} {
		if l.line != nil {
			d.must("\n%s: %s\n", l.name, spanReason(l.line.Summary))
		}
	}
	markdownUsageCredits(d, r)
	markdownUsagePeople(d, r.People)
	if m := r.Models; m != nil {
		d.section("Models", "| model | credits | share | declared | settings |", len(m.List), func(i int) string {
			x := m.List[i]
			words, _ := modelWords(x)
			return fmt.Sprintf("| %s | %s | %s | %s | %s |", cell(modelName(x.ID)), known(x.Credits), knownPercent(x.Share), words, settingsModelWords(x))
		})
	}
	markdownUsageTools(d, r)
	if x := r.Productivity; x != nil {
		d.may(fmt.Sprintf("\n### Productivity\n\n%s commits, %s pull requests, %s files created, %s edited\n", amount(x.Commits), amount(x.PRs), amount(x.FilesCreated), amount(x.FilesEdited)))
	}
	markdownUsageReadiness(d, r.Readiness)
	if s := r.Settings; s != nil {
		d.section("Settings", "| revision | when | who | what |", len(s.Revisions), func(i int) string {
			x := s.Revisions[i]
			return fmt.Sprintf("| %d | %s | %s | %s |", x.Revision, cell(moment(x.UpdatedAt)), cell(actorName(x.Actor)), cell(revisionWords(x)))
		})
	}
	d.section("Notes", "", len(r.Notes), func(i int) string {
		return fmt.Sprintf("- %s: %s", span(r.Notes[i].Section), spanReason(r.Notes[i].Text))
	})
	return d.finish(w)
}

func markdownUsageCredits(d *document, r *report.Report) {
	c := r.Credits
	if c == nil {
		return
	}
	if c.PerDay != nil {
		d.may(fmt.Sprintf("\n%s credits a day, %s a day lately.\n", known(c.PerDay), known(c.Recent)))
	}
	d.section("Credits per day", "| day | credits | tokens in | tokens out |", len(c.Days), func(i int) string {
		x := c.Days[i]
		return fmt.Sprintf("| %s | %s | %s | %s |", cell(x.Date), known(x.Credits), known(x.Input), known(x.Output))
	})
}

func markdownUsagePeople(d *document, p *report.People) {
	if p == nil {
		return
	}
	d.section("People", "| person | credits | a day | declared limit | of it | the limit lasts |", len(p.List), func(i int) string {
		x := p.List[i]
		return fmt.Sprintf("| %s | %s | %s | %s | %s | %s |", cell(x.Name()), known(x.Credits), known(x.PerDay), limitOf(x), knownPercent(x.Share), lastsWords(x))
	})
	d.may("\nCredits are those of the days above; " + limitWords + ".\n")
}

func markdownUsageTools(d *document, r *report.Report) {
	if x := r.Tools; x != nil {
		d.section("Tools", "| tool | calls |", len(x.List), func(i int) string {
			return fmt.Sprintf("| %s | %s |", cell(x.List[i].Name), amount(x.List[i].Count))
		})
		d.section("MCP servers", "| server | calls | spellings |", len(x.Servers), func(i int) string {
			s := x.Servers[i]
			return fmt.Sprintf("| %s | %s | %s |", cell(s.Name), amount(s.Calls), cell(serverWords(s)))
		})
	}
	var lines []string
	if x := r.Activity; x != nil {
		lines = append(lines, "active users a day: "+rangeWords(x.Daily, known), "in 7 days: "+rangeWords(x.Weekly, known),
			fmt.Sprintf("sessions %s, messages %s", known(x.Sessions), known(x.Messages)))
	}
	if x := r.Autonomy; x != nil {
		if x.Median != nil {
			lines = append(lines, "tool calls per user message, median of a day: "+rangeWords(x.Median, ratioWords))
		}
		if x.CallsPerTurn != nil {
			lines = append(lines, "all tool calls / all user messages: "+ratioWords(x.CallsPerTurn))
		}
	}
	d.section("Activity and autonomy", "", len(lines), func(i int) string { return "- " + span(lines[i]) })
}

func markdownUsageReadiness(d *document, r *report.Readiness) {
	if r == nil {
		return
	}
	d.section("Readiness", "| repository | score | passed | change | declared | remarks |", len(r.Repositories), func(i int) string {
		x := r.Repositories[i]
		words, _ := repositoryWords(x)
		passed := none
		if x.Score != nil {
			passed = amount(x.Passed) + " of " + amount(x.Evaluated)
		}
		return fmt.Sprintf("| %s | %s | %s | %s | %s | %s |", cell(x.URL), knownPercent(x.Score), passed, changeWords(x.Change), words, cell(strings.Join(x.Remarks, "; ")))
	})
	failing := failingCriteria(r)
	d.section("What fails most", "| criterion | repositories | passed |", len(failing), func(i int) string {
		c := failing[i]
		return fmt.Sprintf("| %s | %d of %d | %s of %s |", cell(c.ID), len(c.Failing), c.Repositories, amount(c.Passed), amount(c.Evaluated))
	})
}

// failingCriteria are those that fail somewhere.
func failingCriteria(r *report.Readiness) []report.Criterion {
	var out []report.Criterion
	for _, c := range r.Criteria {
		if len(c.Failing) > 0 {
			out = append(out, c)
		}
	}
	return out
}
