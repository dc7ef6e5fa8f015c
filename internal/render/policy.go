package render

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/policy"
)

// RulesFormats lists the formats of a list of rules.
func RulesFormats() []string { return []string{Text, JSON} }

// Rules writes a list of rules.
func Rules(w io.Writer, format string, rules []org.Rule, o Options) error {
	if format == JSON {
		return WriteJSON(w, struct {
			FormatVersion string     `json:"format_version"`
			Rules         []org.Rule `json:"rules"`
		}{"1.0", rules})
	}
	var rows [][]string
	for _, r := range rules {
		state := "on"
		if !r.Enabled {
			state = "off"
		}
		rows = append(rows, []string{r.ID, r.Severity, r.Kind, state, r.Title})
	}
	return Table(w, []string{"RULE", "SEVERITY", "JUDGES", "STATE", "WHAT SHOULD BE TRUE"}, rows, "No rules.", o)
}

// TestsFormats lists the formats of a test report.
func TestsFormats() []string { return []string{Text, JSON} }

// Tests writes what tests of rules said: failures first, then coverage.
func Tests(w io.Writer, format string, r *policy.TestReport, o Options) error {
	if format == JSON {
		return WriteJSON(w, struct {
			FormatVersion string `json:"format_version"`
			*policy.TestReport
		}{"1.0", r})
	}
	out, c := &printer{w: w}, newPalette(o.Color)
	for _, t := range r.Tests {
		if t.Outcome == policy.TestPass || t.Outcome == policy.TestSkip {
			continue
		}
		out.f("%s\n", row(c.red(strings.ToUpper(t.Outcome)), Clean(t.Package+"."+t.Name), c.dim(Clean(t.Source.String()))))
		for _, line := range append(t.Cases, t.Message, t.Output) {
			if line = strings.TrimSpace(line); line != "" {
				out.f("    %s\n", reason(strings.Join(strings.Fields(line), " ")))
			}
		}
	}
	for _, f := range r.Coverage.Files {
		if len(f.NotCovered) > 0 {
			var lines []string
			for _, l := range f.NotCovered {
				if lines = append(lines, fmt.Sprint(l.From)); l.To > l.From {
					lines[len(lines)-1] += fmt.Sprintf("-%d", l.To)
				}
			}
			out.f("%s\n", row(c.yellow("not covered"), Clean(f.File), "lines "+strings.Join(lines, ", ")))
		}
	}
	line := fmt.Sprintf("%s: %s passed, %s failed", count(len(r.Tests), "test"), comma(r.Passed), comma(r.Failed+r.Errored))
	if r.Skipped > 0 {
		line += fmt.Sprintf(", %s skipped", comma(r.Skipped))
	}
	out.f("%s\n", c.bold(fmt.Sprintf("%s. Coverage %.2f %%.", line, r.Coverage.Percent)))
	return out.err
}

// ExplanationFormats lists the formats of an explanation.
func ExplanationFormats() []string { return []string{Text, JSON} }

// Explanations writes why a rule fired on some documents, or why not.
func Explanations(w io.Writer, format string, rule org.Rule, list []*policy.Explanation, o Options) error {
	if format == JSON {
		return WriteJSON(w, struct {
			FormatVersion string                `json:"format_version"`
			Explanations  []*policy.Explanation `json:"explanations"`
		}{"1.0", list})
	}
	out, c := &printer{w: w}, newPalette(o.Color)
	out.f("%s  %s  %s\n", c.bold(Clean(rule.ID)), Clean(rule.Severity), Clean(rule.Title))
	if rule.Description != "" {
		out.f("%s\n", reason(strings.Join(strings.Fields(rule.Description), " ")))
	}
	for _, x := range list {
		explanation(out, c, x)
	}
	return out.err
}

func explanation(out *printer, c palette, x *policy.Explanation) {
	paint := c.green
	if x.Outcome != policy.OutcomeClean {
		paint = c.red
	}
	verdict := map[string]string{
		policy.OutcomeFired: "it fired", policy.OutcomeClean: "it did not fire",
		policy.OutcomeIndeterminate: "it could not be judged", policy.OutcomeErrored: "it could not be evaluated",
	}[x.Outcome]
	out.f("\n%s: %s\n", Clean(x.Subject), paint(verdict))
	for _, f := range x.Findings[:min(len(x.Findings), maxRows)] {
		out.f("  %s\n", row(c.cyan(Clean(f.Path)), reason(f.Message)))
	}
	out.more(len(x.Findings), maxRows)
	for _, b := range x.Bodies {
		if len(b.Lines) == 0 {
			continue
		}
		out.f("\n  %s  %s\n", Clean(b.Name), c.dim(Clean(b.Source.String())))
		for _, l := range b.Lines {
			out.f("    %s  %s\n", lineVerdict(c, l), reason(l.Text))
			if l.Tried == 0 {
				continue
			}
			for _, v := range l.Values {
				out.f("             %s\n", c.dim(Clean(v.Name)+" = "+Clean(v.Value)))
			}
		}
	}
}

// lineVerdict says in a fixed width whether an expression held.
func lineVerdict(c palette, l policy.ExplainedLine) string {
	const width = 7
	pad := func(paint func(...any) string, s string) string {
		return paint(s) + strings.Repeat(" ", width-len(s))
	}
	switch {
	case l.Tried == 0:
		return pad(c.dim, "-")
	case l.Failed == 0:
		return pad(c.green, "true")
	case l.Failed >= l.Tried:
		return pad(c.red, "false")
	default:
		return pad(c.yellow, "partly")
	}
}

// ReplayFormats lists the formats of a replay.
func ReplayFormats() []string { return []string{Text, JSON} }

// Replay writes what a rule says of every revision of the settings.
func Replay(w io.Writer, format string, r *policy.Replay, o Options) error {
	if format == JSON {
		return WriteJSON(w, struct {
			FormatVersion string `json:"format_version"`
			*policy.Replay
		}{"1.0", r})
	}
	out, c := &printer{w: w}, newPalette(o.Color)
	out.f("%s  %s  %s\n", c.bold(Clean(r.Rule.ID)), Clean(r.Rule.Severity), Clean(r.Rule.Title))
	if len(r.Unseen) > 0 {
		for _, u := range r.Unseen {
			out.f("%s\n", c.yellow(fmt.Sprintf("revisions %d-%d are not visible: nobody knows what they were", u.From, u.To)))
		}
	}
	out.f("\n")
	for _, v := range r.Intervals {
		intervalText(out, c, r, v)
	}
	out.f("\n%s\n", c.bold(replaySummary(r)))
	return out.err
}

func intervalText(out *printer, c palette, r *policy.Replay, v policy.Interval) {
	paint := map[string]func(...any) string{policy.StatusClean: c.green, org.Indeterminate: c.yellow, org.Waived: c.yellow}[v.Status]
	if paint == nil {
		paint = c.red
	}
	to := "now"
	if v.To != nil {
		to = fmt.Sprintf("r%d", v.To.Revision)
	}
	span := fmt.Sprintf("r%d until %s", v.From.Revision, to)
	long := ""
	if v.Seconds > 0 {
		long = lasting(v.Seconds)
	}
	out.f("%s\n", row(paint(Clean(v.Status)), span, Clean(v.From.UpdatedAt), "by "+actorName(v.From.Actor), c.dim(long)))
	if v.Status == policy.StatusClean {
		return
	}
	out.f("    %s\n", row(c.cyan(Clean(strings.Join(v.Paths, ", "))), reason(v.Message)))
	if v.To != nil && r.Exposed > 0 {
		out.f("    %s\n", c.dim(fmt.Sprintf("ended by %s, %s", actorName(v.To.Actor), Clean(v.To.UpdatedAt))))
	}
}

// lasting says how long something lasted, in days where that is long enough.
func lasting(seconds int64) string {
	d := time.Duration(seconds) * time.Second
	if days := int(d.Hours() / 24); days > 0 {
		return count(days, "day")
	}
	return d.Round(time.Minute).String()
}

func replaySummary(r *policy.Replay) string {
	if r.FirstBad == nil && slices.ContainsFunc(r.Intervals, func(v policy.Interval) bool { return v.Status == org.Waived }) {
		return fmt.Sprintf("It fired only where a waiver accepts it, in %s.", count(r.Revisions, "revision"))
	}
	if r.FirstBad == nil {
		return fmt.Sprintf("It never fired in %s.", count(r.Revisions, "revision"))
	}
	n := 0
	for _, v := range r.Intervals {
		if v.Status == org.Open {
			n++
		}
	}
	line := fmt.Sprintf("First bad revision: %s by %s, %s. It fired %s", humanize.Comma(r.FirstBad.From.Revision),
		actorName(r.FirstBad.From.Actor), Clean(r.FirstBad.From.UpdatedAt), count(n, "time"))
	if r.Exposed > 0 {
		line += ", in all for " + lasting(r.Exposed)
	}
	return line + fmt.Sprintf(", in %s.", count(r.Revisions, "revision"))
}
