package render

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/govctl/govctl/internal/drift"
)

// driftMarkdown writes a drift report for an issue or a chat. Equal reports give equal
// bytes: there is no time of the run in it.
func driftMarkdown(w io.Writer, r *drift.Report, o Options) error {
	d := newDocument(o, "")
	d.must("## govctl drift: %s\n\n", span(cmp.Or(r.Project, ".")))
	d.must("**%s**\n\n", driftSummary(r))
	d.must("Target %s, %s. Based on %s.\n", span(r.Target.BaseURL), span(organization(r.Target)), span(settingsLine(r.Settings)))
	d.section("Needs attention", "", len(r.Coverage.Missing), func(i int) string {
		g := r.Coverage.Missing[i]
		return fmt.Sprintf("- **incomplete**: %s: %s", span(strings.TrimSpace(g.Fact+" "+g.Key)), spanReason(g.Error))
	})
	differ, went := splitChanges(r.Settings.Changes)
	markdownChanges(d, "Settings", differ, r.Settings.FromRevision)
	markdownChanges(d, "Came and went", went, r.Settings.FromRevision)
	if s := gapsLine(r.Settings); s != "" {
		d.may("\nThere are gaps: " + span(s) + ".\n")
	}
	markdownDriftComputers(d, r.Computers)
	if s := limitsLine(r.Limits); s != "" {
		d.may("\n### Limits\n\n- " + span(s) + "\n")
	}
	d.section("By hand", "", len(r.Manual), func(i int) string {
		return "- " + spanReason(r.Manual[i].Words)
	})
	findings := openFindings(r.Findings)
	d.section("Policy", "| severity | rule | where | what |", len(findings), func(i int) string {
		f := findings[i]
		return fmt.Sprintf("| %s | %s | %s | %s |", cell(f.Severity), cell(f.Rule), cell(f.Path), cell(f.Message))
	})
	groups := unmanaged(r.Unmanaged)
	d.section("To look at", "", len(groups), func(i int) string {
		g := groups[i]
		return fmt.Sprintf("- %s (%s): %s", prose(g.what), comma(g.total), spans(span, g.names, g.total-len(g.names)))
	})
	return d.finish(w)
}

func markdownChanges(d *document, title string, list []drift.Change, from int64) {
	d.section(title, "| setting | what | changed by | fingerprint |", len(list), func(i int) string {
		c := list[i]
		lines := append([]string{changeLine(c), wasLine(c, from)}, itemLines(c.Items)...)
		return fmt.Sprintf("| %s | %s | %s | %s |", cell(c.Path), cellLines(filled(lines)), cell(whoLine(c)), fingerprintCell(c.Fingerprint, asideLine(c.Accepted, c.Ignored)))
	})
}

// filled leaves empty lines out.
func filled(lines []string) []string {
	kept := lines[:0]
	for _, line := range lines {
		if line != "" {
			kept = append(kept, line)
		}
	}
	return kept
}

// fingerprintCell is what accepts a difference, or why it does not count.
func fingerprintCell(fingerprint, aside string) string {
	if aside != "" {
		return cell(aside)
	}
	return cell(fingerprint)
}

func markdownDriftComputers(d *document, all []drift.Computer) {
	var list []drift.Computer
	for _, m := range all {
		if m.Verdict != drift.InSync || m.Health != "" {
			list = append(list, m)
		}
	}
	d.section("Computers", "| verdict | computer | details | fingerprint |", len(list), func(i int) string {
		m := list[i]
		var lines []string
		for _, f := range m.Fields {
			lines = append(lines, driftField(f.Name, f.Before, f.After))
		}
		for _, f := range m.IgnoredFields {
			lines = append(lines, driftField(f.Name, f.Before, f.After)+"; "+ignoredLine(&f.Ignored))
		}
		lines = append(lines, m.Detail)
		if m.Health != "" {
			lines = append(lines, "health: "+m.Health)
		}
		return fmt.Sprintf("| %s | %s | %s | %s |", cell(verb(m.Verdict)), cell(m.Name), cellLines(filled(lines)), fingerprintCell(m.Fingerprint, asideLine(m.Accepted, m.Ignored)))
	})
}
