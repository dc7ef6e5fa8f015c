package render

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/govctl/govctl/internal/org"
)

// FindingsFormats lists the formats of a report of findings.
func FindingsFormats() []string {
	return []string{Text, JSON, Markdown, SARIF, JUnit, GitHub, GitLab}
}

// findingsJSON is a report of findings as JSON.
type findingsJSON struct {
	FormatVersion string `json:"format_version"`
	*org.FindingsReport
}

// Findings writes what policies say.
func Findings(w io.Writer, format string, r *org.FindingsReport, o Options) error {
	switch format {
	case Text:
		return findingsText(w, r, o)
	case JSON:
		return WriteJSON(w, findingsJSON{"1.0", r})
	case Markdown:
		return findingsMarkdown(w, r, o)
	case SARIF:
		return findingsSARIF(w, r, o)
	case JUnit:
		return findingsJUnit(w, r, o)
	case GitHub:
		return findingsGitHub(w, r, o)
	case GitLab:
		return findingsGitLab(w, r, o)
	default:
		return CheckFormat(format, FindingsFormats())
	}
}

// perRule is how many findings of one rule are listed in text.
const perRule = 6

// findingGroup is the findings of one rule with the same status.
type findingGroup struct {
	first org.Finding
	list  []org.Finding
}

// groupFindings groups what was found by rule: first what is open, then what could not be
// evaluated, then what is accepted; the worst first.
func groupFindings(findings []org.Finding) []findingGroup {
	index := map[[2]string]int{}
	var out []findingGroup
	for _, f := range findings {
		key := [2]string{f.Rule, f.Status}
		i, ok := index[key]
		if !ok {
			i = len(out)
			index[key] = i
			out = append(out, findingGroup{first: f})
		}
		out[i].list = append(out[i].list, f)
	}
	order := []string{org.Open, org.Errored, org.Waived}
	slices.SortStableFunc(out, func(a, b findingGroup) int {
		return cmp.Or(
			cmp.Compare(slices.Index(order, a.first.Status), slices.Index(order, b.first.Status)),
			cmp.Compare(org.SeverityRank(a.first.Severity), org.SeverityRank(b.first.Severity)),
			cmp.Compare(a.first.Rule, b.first.Rule))
	})
	return out
}

func findingsText(w io.Writer, r *org.FindingsReport, o Options) error {
	out, c := &printer{w: w}, newPalette(o.Color)
	out.f("%s  %s\n", c.bold("govctl policy"), judgedLine(r))
	textGaps(out, c, r.Gaps)
	judged, unjudged := byJudged(r.Findings)
	for _, g := range groupFindings(judged) {
		paint := severityPaint(c, g.first)
		out.f("\n%s  %s\n", paint(findingLabel(g.first)), Clean(g.first.Title))
		for _, f := range g.list[:min(len(g.list), perRule)] {
			out.f("  %s\n", row(Clean(f.Subject), c.cyan(Clean(f.Path)), reason(f.Message)))
			if line := findingOrigin(f); line != "" {
				out.f("      %s\n", c.dim(line))
			}
		}
		out.more(len(g.list), perRule)
		if s := g.first.Remediation; s != "" && g.first.Status != waived {
			out.f("  %s %s\n", c.green("fix:"), reason(strings.Join(strings.Fields(s), " ")))
		}
	}
	if len(unjudged) > 0 {
		out.f("\n%s\n", c.bold("Could not be judged"))
		for _, f := range unjudged[:min(len(unjudged), maxRows)] {
			out.f("  %s\n", row(c.yellow(Clean(f.Rule)), Clean(f.Subject), reason(f.Message)))
		}
		out.more(len(unjudged), maxRows)
	}
	out.f("\n%s\n", c.bold(findingsSummary(r)))
	return out.err
}

func severityPaint(c palette, f org.Finding) func(...any) string {
	switch {
	case f.Status == waived:
		return c.dim
	case org.SeverityRank(f.Severity) <= org.SeverityRank("high"):
		return c.red
	case f.Severity == "medium":
		return c.yellow
	}
	return c.cyan
}

// findingOrigin says who caused a finding, where it is declared, and who accepted it.
func findingOrigin(f org.Finding) string {
	var parts []string
	if f.Blame != nil {
		parts = append(parts, blameText(f.Blame))
	}
	if f.Source != nil {
		parts = append(parts, Clean(f.Source.String()))
	}
	if w := f.Waiver; w != nil {
		owner := ""
		if w.Owner != "" {
			owner = " by " + w.Owner
		}
		parts = append(parts, reason(fmt.Sprintf("accepted%s until %s: %s", owner, w.Expires, w.Reason)))
	}
	return strings.Join(parts, "; ")
}

// maxJudged is how many documents are named.
const maxJudged = 4

// judgedLine says on what the rules were evaluated.
func judgedLine(r *org.FindingsReport) string {
	kinds, rules := map[string]int{}, 0
	var order, names []string
	for _, j := range r.Judged {
		if kinds[j.Kind]++; kinds[j.Kind] == 1 {
			order = append(order, j.Kind)
		}
		rules += j.Rules
	}
	for _, k := range order {
		if kinds[k] <= maxJudged {
			for _, j := range r.Judged {
				if j.Kind == k {
					names = append(names, Clean(j.Subject))
				}
			}
			continue
		}
		names = append(names, fmt.Sprintf("%s documents of the kind %s", comma(kinds[k]), Clean(k)))
	}
	if len(names) == 0 {
		return "nothing to judge"
	}
	return fmt.Sprintf("%s (%s)", strings.Join(names, ", "), count(rules, "evaluation"))
}

// findingsSummary is the last line of a report.
func findingsSummary(r *org.FindingsReport) string {
	line := countsLine(r.Summary)
	if r.Summary.Denied > 0 {
		return line + " DENIED: " + comma(r.Summary.Denied) + " at " + Clean(r.FailOn) + " or above."
	}
	if len(r.Judged) == 0 {
		return line + " Nothing was judged."
	}
	return line + " Passed: none at " + Clean(r.FailOn) + " or above."
}

// countsLine counts findings by what becomes of them.
func countsLine(s org.FindingCounts) string {
	var open []string
	for _, level := range org.Severities() {
		if n := s.Open[level]; n > 0 {
			open = append(open, comma(n)+" "+level)
		}
	}
	line := "No findings."
	if len(open) > 0 {
		line = "Open: " + strings.Join(open, ", ") + "."
	}
	for _, more := range []struct {
		n    int
		what string
	}{{s.Errored, "could not be evaluated"}, {s.Waived, "accepted"}, {s.Indeterminate, "could not be judged"}} {
		if more.n > 0 {
			line += " " + comma(more.n) + " " + more.what + "."
		}
	}
	return line
}

func findingsMarkdown(w io.Writer, r *org.FindingsReport, o Options) error {
	d := newDocument(o, "")
	d.must("## govctl policy\n\n**%s**\n\nJudged: %s.\n", findingsSummary(r), span(judgedLine(r)))
	d.section("Incomplete", "", len(r.Gaps), func(i int) string {
		return fmt.Sprintf("- %s: %s", span(strings.TrimSpace(r.Gaps[i].Fact+" "+r.Gaps[i].Key)), spanReason(r.Gaps[i].Error))
	})
	judged, unjudged := byJudged(r.Findings)
	var list []org.Finding
	for _, g := range groupFindings(judged) {
		list = append(list, g.list...)
	}
	d.section("Findings", "| severity | rule | where | what | who and where declared |", len(list), func(i int) string {
		f := list[i]
		level := Clean(f.Severity)
		if f.Status != org.Open {
			level += " (" + Clean(f.Status) + ")"
		} else if org.SeverityRank(f.Severity) <= org.SeverityRank(r.FailOn) {
			level = "**" + level + "**"
		}
		return fmt.Sprintf("| %s | %s | %s | %s | %s |", level, cell(f.Rule), cell(strings.TrimSpace(f.Subject+" "+f.Path)), cell(f.Message), cell(findingOrigin(f)))
	})
	d.section("Could not be judged", "", len(unjudged), func(i int) string {
		f := unjudged[i]
		return fmt.Sprintf("- %s %s: %s", span(f.Rule), span(f.Subject), spanReason(f.Message))
	})
	return d.finish(w)
}
