package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
)

// planMarkdown writes p as Markdown for a pull request. Equal plans give equal bytes:
// there is no time in it. What blocks comes first and rows are left out, never markup.
func planMarkdown(w io.Writer, p *plan.Plan) error {
	d := &document{budget: MarkdownBudget - footerReserve}
	d.must("## govctl plan: %s\n\n", span(projectName(p)))
	d.must("**%s**\n\n", planSummary(p))
	if s := unchangedLine(p); s != "" {
		d.must("%s.\n\n", s)
	}
	if s := selectionLine(p); s != "" {
		d.must("Selected: %s.\n\n", span(s))
	}
	d.must("Target %s, %s. Based on %s. Digest %s.\n", span(p.Target.BaseURL), span(organization(p.Target)), basisLine(p), span(p.Digest))
	l := groupLimits(p.Limits)
	blocked, others := byBlocked(p.Computers)
	markdownAttention(d, p, blocked)
	markdownLimits(d, l)
	markdownObjects(d, others, p.Sessions)
	markdownSettings(d, p)
	markdownNotes(d, p)
	markdownRows(d, l)
	_, err := io.WriteString(w, d.b.String())
	return err
}

// markdownAttention lists what keeps a plan from being applied whole and what policies
// say of it.
func markdownAttention(d *document, p *plan.Plan, none []blocked) {
	var rows []func() string
	for _, n := range p.Notes {
		if n.Refuses {
			rows = append(rows, func() string { return "- **refused**: " + noteMarkdown(n) })
		}
	}
	for _, g := range p.Incomplete {
		rows = append(rows, func() string {
			return fmt.Sprintf("- **incomplete**: %s: %s", span(strings.TrimSpace(g.Fact+" "+g.Key)), spanReason(g.Error))
		})
	}
	judged, _ := byJudged(p.Findings)
	for _, f := range judged {
		if f.Status != waived {
			rows = append(rows, func() string { return "- **policy** " + findingMarkdown(f) })
		}
	}
	for _, b := range none {
		rows = append(rows, func() string {
			names, more := b.named(blockedNames)
			return fmt.Sprintf("- **blocked**: %s: %s", spans(span, names, more), spanReason(b.why))
		})
	}
	d.section("Needs attention", "", len(rows), func(i int) string { return rows[i]() })
}

func markdownLimits(d *document, l limits) {
	d.section("Credit limits", "| action | credits | members | because of | who |", len(l.groups), func(i int) string {
		g := l.groups[i]
		names, more := l.named(g)
		who := spans(cell, names, more)
		return fmt.Sprintf("| %s | %s | %s | %s | %s |", actionMarkdown(g), g.change(), comma(len(g.members)), cell(l.because(g)), who)
	})
	if len(l.groups) > 0 {
		d.must("\nCurrent limits cannot be read from this API: a value before `->` is the last one the service confirmed to govctl.\n")
	}
}

// actionMarkdown marks what needs a second look.
func actionMarkdown(g group) string {
	if g.risk() <= 1 {
		return "**" + verb(g.Action) + "**"
	}
	return verb(g.Action)
}

func markdownObjects(d *document, computers []plan.ComputerChange, sessions []plan.SessionChange) {
	d.section("Computers", "| action | computer | details |", len(computers), func(i int) string {
		c := computers[i]
		return fmt.Sprintf("| %s | %s | %s |", verb(c.Action), cell(c.Name), cellLines(computerLines(c)))
	})
	d.section("Sessions", "| session | change |", len(sessions), func(i int) string {
		return fmt.Sprintf("| %s | %s |", cell(sessions[i].ID), cell(fieldsLine(sessions[i].Fields)))
	})
}

// cellLines puts several lines into one cell.
func cellLines(lines []string) string {
	parts := make([]string, len(lines))
	for i, line := range lines {
		parts[i] = cell(line)
	}
	return strings.Join(parts, "<br>")
}

func markdownSettings(d *document, p *plan.Plan) {
	title := fmt.Sprintf("Settings to change by hand in the web application, as of revision %d", p.Basis.SettingsRevision)
	d.section(title, "| setting | is -> should be | who |", len(p.Settings), func(i int) string {
		s := p.Settings[i]
		return fmt.Sprintf("| %s | %s | %s |", cell(s.Pointer), cell(settingChange(s)), cell(blameLine(s)))
	})
}

func markdownNotes(d *document, p *plan.Plan) {
	var rows []func() string
	for _, n := range p.Notes {
		if !n.Refuses {
			rows = append(rows, func() string { return "- " + noteMarkdown(n) })
		}
	}
	for _, f := range p.Findings {
		if f.Status == waived {
			rows = append(rows, func() string { return "- policy " + findingMarkdown(f) })
		}
	}
	if _, unjudged := byJudged(p.Findings); len(unjudged) > 0 {
		rows = append(rows, func() string { return "- policy: " + span(unjudgedLine(unjudged)) })
	}
	d.section("Notes", "", len(rows), func(i int) string { return rows[i]() })
}

func findingMarkdown(f org.Finding) string {
	return fmt.Sprintf("%s %s: %s", span(findingLabel(f)), span(f.Subject), spanReason(f.Message))
}

func noteMarkdown(n plan.Note) string {
	var names []string
	for _, item := range n.Items[:min(len(n.Items), noteItems)] {
		name := span(item.Key)
		if item.Detail != "" {
			name += " (" + span(item.Detail) + ")"
		}
		names = append(names, name)
	}
	line := prose(n.Message)
	if len(names) > 0 {
		line += ": " + strings.Join(names, ", ")
	}
	if more := len(n.Items) - len(names); more > 0 {
		line += fmt.Sprintf(" and %s more", comma(more))
	}
	return line
}

// markdownRows lists every limit, riskiest first, as far as the budget goes. Groups that
// name everybody say it all already.
func markdownRows(d *document, l limits) {
	complete := true
	for _, g := range l.groups {
		complete = complete && g.kinds == 1 && len(g.members) <= examples+1
	}
	if complete {
		return
	}
	var table document
	shown := table.rows(len(l.order), d.budget-d.b.Len(), func(i int) string {
		c := l.changes[l.order[i]]
		return fmt.Sprintf("| %s | %s | %s |", verb(c.Action), cell(string(c.Email)), changeOf(c))
	})
	title := "All " + count(shown, "limit")
	if shown < len(l.order) {
		title = fmt.Sprintf("%s of %s, riskiest first", comma(shown), count(len(l.order), "limit"))
	}
	d.must("\n<details><summary>%s</summary>\n\n%s%s\n</details>\n", title, tableHead("| action | member | credits |"), table.b.String())
	if shown < len(l.order) {
		d.must("\n%s not shown; all of them are in the JSON output.\n", count(len(l.order)-shown, "limit"))
	}
}
