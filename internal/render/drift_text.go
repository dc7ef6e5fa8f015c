package render

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/govctl/govctl/internal/drift"
	"github.com/govctl/govctl/internal/org"
)

// driftText lays a drift report out for a person: what could not be read, what differs
// and who did it, what came and went, what cannot be checked, and one line that sums it
// up.
func driftText(w io.Writer, r *drift.Report, o Options) error {
	out, c := &printer{w: w}, newPalette(o.Color)
	out.f("%s  %s\n", c.bold("govctl drift"), Clean(cmp.Or(r.Project, ".")))
	out.f("%s\n", c.dim("target    "+row(Clean(r.Target.BaseURL), Clean(organization(r.Target)))))
	out.f("%s\n", c.dim(settingsLine(r.Settings)))
	textGaps(out, c, r.Coverage.Missing)
	differ, went := splitChanges(r.Settings.Changes)
	textDriftSettings(out, c, "Settings", differ, r.Settings.FromRevision)
	textDriftSettings(out, c, "Came and went", went, r.Settings.FromRevision)
	if s := gapsLine(r.Settings); s != "" {
		out.f("  %s\n", c.yellow(s))
	}
	if n := r.Settings.Untraced; n > 0 {
		out.f("  %s\n", c.yellow(count(n, "change")+" more in places too many to follow"))
	}
	textDriftComputers(out, c, r.Computers)
	if s := limitsLine(r.Limits); s != "" {
		out.f("\n%s\n", s)
	}
	textManual(out, c, r.Manual)
	textUnmanaged(out, c, r)
	textDriftFindings(out, c, r)
	out.f("\n%s\n", c.bold(driftSummary(r)))
	if s := comparisonLine(r.Comparison); s != "" {
		out.f("%s\n", s)
	}
	return out.err
}

// splitChanges parts what differs from what came and went.
func splitChanges(all []drift.Change) (differ, went []drift.Change) {
	for _, c := range all {
		if c.Transient {
			went = append(went, c)
		} else {
			differ = append(differ, c)
		}
	}
	return differ, went
}

func textDriftSettings(out *printer, c palette, title string, list []drift.Change, from int64) {
	if len(list) == 0 {
		return
	}
	out.f("\n%s\n", c.bold(title))
	for _, s := range list[:min(len(list), maxRows)] {
		paint, mark := c.red, "!"
		switch {
		case s.Accepted != nil || s.Ignored != nil:
			paint, mark = c.dim, "="
		case s.Transient:
			paint, mark = c.yellow, "~"
		}
		out.f("  %s\n", row(paint(mark+" "+Clean(s.Path)), changeLine(s), c.dim(Clean(place(s.Source)))))
		lines := append([]string{whoLine(s), wasLine(s, from)}, itemLines(s.Items)...)
		if s.RenamedTo != "" {
			lines = append(lines, "perhaps renamed to "+Clean(s.RenamedTo))
		}
		textDetails(out, c, lines, s.Fingerprint, asideLine(s.Accepted, s.Ignored))
	}
	out.more(len(list), maxRows)
}

// textDetails writes the lines below a difference.
func textDetails(out *printer, c palette, lines []string, fingerprint, aside string) {
	for _, line := range lines {
		if line != "" {
			out.f("      %s\n", line)
		}
	}
	if aside != "" {
		out.f("      %s\n", c.green(aside))
		return
	}
	out.f("      %s\n", c.dim("fingerprint "+Clean(fingerprint)))
}

func place(s *org.Source) string {
	if s == nil {
		return ""
	}
	return s.String()
}

func textDriftComputers(out *printer, c palette, list []drift.Computer) {
	if len(list) == 0 {
		return
	}
	out.f("\n%s %s\n", c.bold("Computers"), c.dim(fmt.Sprintf("%s checked; undeclared computers cannot be seen", count(len(list), "declared computer"))))
	inSync, shown, hidden := 0, 0, 0
	for _, m := range list {
		if m.Verdict == drift.InSync {
			inSync++
			if m.Health == "" {
				continue
			}
		}
		if shown++; shown > maxRows {
			hidden++
			continue
		}
		textDriftComputer(out, c, m)
	}
	if hidden > 0 {
		out.more(shown, maxRows)
	}
	if inSync > 0 {
		out.f("  %s\n", c.dim(comma(inSync)+" in sync"))
	}
}

func textDriftComputer(out *printer, c palette, m drift.Computer) {
	paint, mark := c.red, "!"
	switch {
	case m.Verdict == drift.InSync || m.Accepted != nil || m.Ignored != nil:
		paint, mark = c.dim, "="
	case m.Verdict == drift.Unreadable:
		paint, mark = c.yellow, "?"
	}
	out.f("  %s\n", row(paint(mark+" "+verb(m.Verdict)), Clean(m.Name), c.dim(Clean(place(m.Source)))))
	var lines []string
	for _, f := range m.Fields {
		lines = append(lines, driftField(f.Name, f.Before, f.After))
	}
	for _, f := range m.IgnoredFields {
		lines = append(lines, driftField(f.Name, f.Before, f.After)+"; "+ignoredLine(&f.Ignored))
	}
	if m.Detail != "" {
		lines = append(lines, reason(m.Detail))
	}
	if m.Health != "" {
		lines = append(lines, "health: "+reason(m.Health))
	}
	if m.Fingerprint == "" {
		for _, line := range lines {
			out.f("      %s\n", line)
		}
		return
	}
	textDetails(out, c, lines, m.Fingerprint, asideLine(m.Accepted, m.Ignored))
}

// driftField says what a field of a computer is and what was declared.
func driftField(name, live, declared string) string {
	if live == "" {
		return fmt.Sprintf("%s is not set, declared %q", Clean(name), Clean(declared))
	}
	return fmt.Sprintf("%s is %q, declared %q", Clean(name), Clean(live), Clean(declared))
}

func textUnmanaged(out *printer, c palette, r *drift.Report) {
	groups := unmanaged(r.Unmanaged)
	if len(groups)+len(r.Expired)+len(r.Unused) == 0 {
		return
	}
	out.f("\n%s\n", c.bold("To look at"))
	for _, g := range groups {
		for i := range g.names {
			g.names[i] = Clean(g.names[i])
		}
		line := strings.Join(g.names, ", ")
		if more := g.total - len(g.names); more > 0 {
			line += ", … and " + comma(more) + " more"
		}
		out.f("  %s %s (%s)\n      %s\n", c.yellow("-"), g.what, comma(g.total), line)
	}
	for _, list := range []struct {
		what string
		all  []drift.Acceptance
	}{{"acceptances whose date has passed", r.Expired}, {"acceptances that cover nothing any more", r.Unused}} {
		if len(list.all) == 0 {
			continue
		}
		out.f("  %s %s (%s)\n", c.yellow("-"), list.what, comma(len(list.all)))
		for _, a := range list.all[:min(len(list.all), noteItems)] {
			out.f("      %s\n", row(Clean(a.Kind+" "+a.Key), Clean(a.Until), reason(a.Reason)))
		}
	}
}

// textManual says what a person has to do. The patch is in JSON.
func textManual(out *printer, c palette, list []drift.Manual) {
	if len(list) == 0 {
		return
	}
	out.f("\n%s %s\n", c.bold("By hand"), c.dim("an administrator, in the web application; -o json has the patch"))
	for _, m := range list[:min(len(list), maxRows)] {
		out.f("  %s %s\n", c.yellow("*"), row(reason(m.Words), c.dim(Clean(place(m.Source)))))
	}
	out.more(len(list), maxRows)
}

// textDriftFindings lists what rules say, the worst first.
func textDriftFindings(out *printer, c palette, r *drift.Report) {
	list := openFindings(r.Findings)
	if len(list) == 0 {
		return
	}
	out.f("\n%s\n", c.bold("Policy"))
	for _, f := range list[:min(len(list), maxRows)] {
		out.f("  %s\n", row(severityPaint(c, f)(findingLabel(f)), c.cyan(Clean(f.Path)), reason(f.Message)))
	}
	out.more(len(list), maxRows)
}
