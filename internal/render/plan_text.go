package render

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
)

// maxRows is how many objects of a kind are listed in text: a plan of any size stays a
// page or two.
const maxRows = 12

// noteItems is how many objects of a note are named.
const noteItems = 3

// planText lays a plan out for a person: what is missing or blocked first, then what is
// sent, then what people must do, then notes, then one line that sums it up.
func planText(w io.Writer, p *plan.Plan, o Options) error {
	out, c := &printer{w: w}, newPalette(o.Color)
	out.f("%s  %s\n", c.bold("govctl plan"), Clean(projectName(p)))
	out.f("%s\n", c.dim("target    "+row(Clean(p.Target.BaseURL), Clean(organization(p.Target)))))
	out.f("%s\n", c.dim("based on  "+basisLine(p)))
	if s := selectionLine(p); s != "" {
		out.f("%s\n", c.yellow("selected  "+s))
	}
	textGaps(out, c, p.Incomplete)
	blocked, others := byBlocked(p.Computers)
	textBlocked(out, c, blocked)
	textLimits(out, c, p)
	textComputers(out, c, others)
	textSessions(out, c, p)
	textSettings(out, c, p)
	textFindings(out, c, p.Findings)
	textNotes(out, c, p.Notes)
	out.f("\n%s\n", c.bold(planSummary(p)))
	if s := unchangedLine(p); s != "" {
		out.f("%s\n", c.dim(s))
	}
	out.f("%s\n", c.dim("digest "+Clean(p.Digest)))
	return out.err
}

func textGaps(out *printer, c palette, gaps []org.Gap) {
	if len(gaps) == 0 {
		return
	}
	out.f("\n%s\n", c.red("Incomplete: these facts could not be read"))
	for _, g := range gaps[:min(len(gaps), maxRows)] {
		out.f("  %s %s\n", c.red("?"), row(Clean(strings.TrimSpace(g.Fact+" "+g.Key)), reason(g.Error)))
	}
	out.more(len(gaps), maxRows)
}

func textLimits(out *printer, c palette, p *plan.Plan) {
	if len(p.Limits) == 0 {
		return
	}
	requests := (len(p.Limits) + plan.MaxBatch - 1) / plan.MaxBatch
	out.f("\n%s %s\n", c.bold("Credit limits"), c.dim(fmt.Sprintf(
		"%s in %s; current values cannot be read from this API", count(len(p.Limits), "member"), count(requests, "request"))))
	l := groupLimits(p.Limits)
	var verbs, changes, sizes, nouns, whys table
	for _, g := range l.groups {
		verbs.add(sign(g.Action) + " " + verb(g.Action))
		changes.add(g.change())
		size, noun, _ := strings.Cut(count(len(g.members), "member"), " ")
		sizes.add(size)
		nouns.add(noun)
		whys.add(Clean(l.because(g)))
	}
	for i, g := range l.groups {
		paint := c.green
		switch g.risk() {
		case 0, 1:
			paint = c.red
		case 2:
			paint = c.yellow
		}
		names, more := l.named(g)
		for j := range names {
			names[j] = Clean(names[j])
		}
		who := strings.Join(names, ", ")
		if more > 0 {
			who += ", …"
		}
		out.f("  %s\n", row(paint(verbs.pad(i)), changes.pad(i), sizes.padLeft(i)+" "+nouns.pad(i), whys.pad(i), who, c.dim(Clean(l.place(g)))))
	}
}

func textBlocked(out *printer, c palette, list []blocked) {
	if len(list) == 0 {
		return
	}
	out.f("\n%s\n", c.bold("Blocked computers"))
	for _, b := range list[:min(len(list), maxRows)] {
		names, more := b.named(blockedNames)
		for i := range names {
			names[i] = Clean(names[i])
		}
		who := strings.Join(names, ", ")
		if more > 0 {
			who += ", … (" + comma(len(b.computers)) + ")"
		}
		out.f("  %s\n      %s\n", row(c.red("! blocked"), who, c.dim(Clean(b.computers[0].Source.String()))), reason(b.why))
	}
	out.more(len(list), maxRows)
}

func textComputers(out *printer, c palette, list []plan.ComputerChange) {
	if len(list) == 0 {
		return
	}
	out.f("\n%s\n", c.bold("Computers"))
	for _, ch := range list[:min(len(list), maxRows)] {
		paint := c.yellow
		if ch.Action == plan.ActionCreate {
			paint = c.green
		}
		out.f("  %s\n", row(paint(sign(ch.Action)+" "+verb(ch.Action)), Clean(ch.Name), c.dim(Clean(ch.Source.String()))))
		for _, line := range computerLines(ch) {
			out.f("      %s\n", line)
		}
	}
	out.more(len(list), maxRows)
}

func textSessions(out *printer, c palette, p *plan.Plan) {
	if len(p.Sessions) == 0 {
		return
	}
	out.f("\n%s\n", c.bold("Sessions"))
	for _, s := range p.Sessions[:min(len(p.Sessions), maxRows)] {
		out.f("  %s\n", row(c.yellow("~ update"), Clean(s.ID), fieldsLine(s.Fields)))
	}
	out.more(len(p.Sessions), maxRows)
}

func textSettings(out *printer, c palette, p *plan.Plan) {
	if len(p.Settings) == 0 {
		return
	}
	out.f("\n%s %s\n", c.bold("Settings"), c.dim("need an administrator in the web application; as of revision "+fmt.Sprint(p.Basis.SettingsRevision)))
	for _, s := range p.Settings[:min(len(p.Settings), maxRows)] {
		out.f("  %s\n", row(c.cyan("* by hand"), Clean(s.Pointer), settingChange(s), c.dim(Clean(s.Source.String()))))
		if line := blameLine(s); line != "" {
			out.f("      %s\n", line)
		}
	}
	out.more(len(p.Settings), maxRows)
}

func textFindings(out *printer, c palette, findings []org.Finding) {
	judged, unjudged := byJudged(findings)
	if len(judged)+len(unjudged) == 0 {
		return
	}
	out.f("\n%s\n", c.bold("Policy"))
	for _, f := range judged[:min(len(judged), maxRows)] {
		paint := c.red
		if f.Status == waived {
			paint = c.dim
		}
		out.f("  %s\n", row(paint(findingLabel(f)), Clean(f.Subject), reason(f.Message)))
	}
	out.more(len(judged), maxRows)
	if len(unjudged) > 0 {
		out.f("  %s\n", c.dim(unjudgedLine(unjudged)))
	}
}

// byJudged parts findings from rules that could say nothing.
func byJudged(findings []org.Finding) (judged, unjudged []org.Finding) {
	for _, f := range findings {
		if f.Status == org.Indeterminate {
			unjudged = append(unjudged, f)
		} else {
			judged = append(judged, f)
		}
	}
	return judged, unjudged
}

// unjudgedLine names the rules that could not be judged.
func unjudgedLine(findings []org.Finding) string {
	var rules []string
	for _, f := range findings {
		rules = append(rules, f.Rule)
	}
	slices.Sort(rules)
	rules = slices.Compact(rules)
	return Clean(count(len(rules), "rule") + " could not be judged for want of facts: " + strings.Join(rules, ", "))
}

// waived is the status of a finding that somebody accepted.
const waived = org.Waived

// findingLabel is the rule and its severity, and the status unless it is simply open.
func findingLabel(f org.Finding) string {
	label := f.Rule + " " + f.Severity
	if f.Status != "" && f.Status != "open" {
		label += " (" + f.Status + ")"
	}
	return Clean(label)
}

func textNotes(out *printer, c palette, notes []plan.Note) {
	if len(notes) == 0 {
		return
	}
	out.f("\n%s\n", c.bold("Notes"))
	for _, n := range notes {
		mark := c.yellow("-")
		if n.Refuses {
			mark = c.red("!")
		}
		out.f("  %s %s\n", mark, noteLine(n))
		var keys table
		for _, item := range n.Items[:min(len(n.Items), noteItems)] {
			keys.add(Clean(item.Key))
		}
		for i, item := range n.Items[:len(keys.cells)] {
			place := ""
			if item.Source != nil {
				place = c.dim(Clean(item.Source.String()))
			}
			out.f("      %s\n", row(keys.pad(i), reason(item.Detail), place))
		}
		if left := len(n.Items) - noteItems; left > 0 {
			out.f("      … and %s more; all of them with -o json\n", comma(left))
		}
	}
}

// noteLine is a note's message with the number of objects it is about, and that apply
// will refuse if it will.
func noteLine(n plan.Note) string {
	line := Clean(n.Message)
	if len(n.Items) > 0 {
		line += " (" + comma(len(n.Items)) + ")"
	}
	if n.Refuses {
		line += "; apply will refuse"
	}
	return line
}
