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
func planMarkdown(w io.Writer, p *plan.Plan, o Options) error {
	d := newDocument(o, planFooter(p))
	d.must("## govctl plan: %s\n\n", span(projectName(p)))
	d.must("**%s**\n\n", planSummary(p))
	if s := unchangedLine(p); s != "" {
		d.must("%s.\n\n", s)
	}
	if len(p.Findings) > 0 {
		d.must("Policy: %s\n\n", countsLine(org.CountFindings(p.Findings, "")))
	}
	if s := selectionLine(p); s != "" {
		d.must("Selected: %s.\n\n", span(s))
	}
	d.must("Plan %s%s for %s, %s. Based on %s.\n", span(shortDigest(p.Digest)), headText(o), span(p.Target.BaseURL), span(organization(p.Target)), basisLine(p))
	l := groupLimits(p.Limits)
	blocked, others := byBlocked(p.Computers)
	markdownAttention(d, p, blocked)
	markdownLimits(d, l)
	markdownObjects(d, others, p.Sessions)
	markdownSettings(d, p)
	markdownNotes(d, p)
	markdownRows(d, l)
	return d.finish(w)
}

// planFooter says how to apply exactly this plan, "" if there is nothing to apply.
func planFooter(p *plan.Plan) string {
	if p.Empty() {
		return ""
	}
	return "\nTo apply exactly this plan: " + span("govctl apply plan.json --approved-digest "+p.Digest) + "\n"
}

// shortDigest is enough of a digest to tell plans apart by eye.
func shortDigest(s string) string {
	if hex, ok := strings.CutPrefix(s, "sha256:"); ok && len(hex) > 12 {
		return hex[:12]
	}
	return s
}

// headText names the commit a result is about, "" for none.
func headText(o Options) string {
	if o.Head == "" {
		return ""
	}
	return " of commit " + span(o.Head[:min(len(o.Head), 12)])
}

// attentionNames is how many objects are named by what needs attention.
const attentionNames = 20

// markdownAttention lists what keeps a plan from being applied whole, what policies say of
// it, and what hurts somebody once it is applied. It may take three quarters of the room.
func markdownAttention(d *document, p *plan.Plan, none []blocked) {
	var rows []string
	for _, n := range p.Notes {
		switch {
		case n.Refuses:
			rows = append(rows, "- **refused**: "+noteMarkdown(n, noteItems))
		case unknownUsers(n):
			rows = append(rows, "- **unknown users**: "+noteMarkdown(n, attentionNames))
		}
	}
	for _, g := range p.Incomplete {
		rows = append(rows, fmt.Sprintf("- **incomplete**: %s: %s", span(strings.TrimSpace(g.Fact+" "+g.Key)), spanReason(g.Error)))
	}
	judged, _ := byJudged(p.Findings)
	for _, f := range judged {
		if f.Status != waived {
			rows = append(rows, "- **policy** "+findingMarkdown(f))
		}
	}
	for _, b := range none {
		names, more := b.named(blockedNames)
		rows = append(rows, fmt.Sprintf("- **blocked**: %s: %s", spans(span, names, more), spanReason(b.why)))
	}
	rows = append(rows, harmful(p.Limits)...)
	d.rows("Needs attention", "", len(rows), d.room()*3/4, func(i int) string { return rows[i] })
}

// unknownUsers reports whether a note is about declared addresses that get nothing.
func unknownUsers(n plan.Note) bool {
	return n.Code == "not_in_organization" || n.Code == "ambiguous_address"
}

// harmful says whose limits fall and whose become 0, which the service does not explain.
func harmful(changes []plan.LimitChange) []string {
	var rows []string
	for _, kind := range []struct {
		what string
		is   func(plan.LimitChange) bool
	}{
		{"lowered", func(c plan.LimitChange) bool { return c.Action == plan.ActionLower }},
		{"limit 0", func(c plan.LimitChange) bool { return c.After == 0 }},
	} {
		var names []string
		total := 0
		for _, c := range changes {
			if !kind.is(c) {
				continue
			}
			if total++; total <= attentionNames {
				names = append(names, string(c.Email))
			}
		}
		if total > 0 {
			rows = append(rows, fmt.Sprintf("- **%s**: %s: %s", kind.what, count(total, "member"), spans(span, names, total-len(names))))
		}
	}
	return rows
}

func markdownLimits(d *document, l limits) {
	d.section("Credit limits", "| action | credits | members | because of | who |", len(l.groups), func(i int) string {
		g := l.groups[i]
		names, more := l.named(g)
		who := spans(cell, names, more)
		return fmt.Sprintf("| %s | %s | %s | %s | %s |", actionMarkdown(g), g.change(), comma(len(g.members)), cell(l.because(g)), who)
	})
	if len(l.groups) > 0 {
		d.may("\nCurrent limits cannot be read from this API: a value before `->` is the last one the service confirmed to govctl.\n")
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
	var rows []string
	for _, n := range p.Notes {
		if !n.Refuses && !unknownUsers(n) {
			rows = append(rows, "- "+noteMarkdown(n, noteItems))
		}
	}
	for _, f := range p.Findings {
		if f.Status == waived {
			rows = append(rows, "- policy "+findingMarkdown(f))
		}
	}
	if _, unjudged := byJudged(p.Findings); len(unjudged) > 0 {
		rows = append(rows, "- policy: "+span(unjudgedLine(unjudged)))
	}
	d.section("Notes", "", len(rows), func(i int) string { return rows[i] })
}

func findingMarkdown(f org.Finding) string {
	return fmt.Sprintf("%s %s: %s", span(findingLabel(f)), span(f.Subject), spanReason(f.Message))
}

// noteMarkdown is a note with the names of the first few objects.
func noteMarkdown(n plan.Note, most int) string {
	var names []string
	for _, item := range n.Items[:min(len(n.Items), most)] {
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
	d.fold(len(l.order), "limit", "| action | member | credits |", func(i int) string {
		c := l.changes[l.order[i]]
		return fmt.Sprintf("| %s | %s | %s |", verb(c.Action), cell(string(c.Email)), changeOf(c))
	})
}
