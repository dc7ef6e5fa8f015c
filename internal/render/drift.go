package render

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/govctl/govctl/internal/drift"
	"github.com/govctl/govctl/internal/org"
)

// DriftFormats lists the formats of a drift report.
func DriftFormats() []string {
	return []string{Text, JSON, Markdown, HTML, SARIF, JUnit, GitHub, GitLab, Prometheus}
}

// Drift writes a drift report.
func Drift(w io.Writer, format string, r *drift.Report, o Options) error {
	switch format {
	case Text:
		return driftText(w, r, o)
	case JSON:
		return WriteJSON(w, r)
	case Markdown:
		return driftMarkdown(w, r, o)
	case HTML:
		return driftHTML(w, r, o)
	case SARIF, JUnit, GitHub, GitLab:
		return driftFindings(w, format, r, o)
	case Prometheus:
		return driftPrometheus(w, r, o)
	default:
		return CheckFormat(format, DriftFormats())
	}
}

// driftSummary is the last line of a report and the headline of its Markdown.
func driftSummary(r *drift.Report) string {
	var line string
	switch r.Verdict {
	case drift.Drifted:
		line = "Drifted: " + count(r.Summary.Drifted, "difference") + "."
	case drift.InSync:
		line = "In sync: " + count(r.Summary.Checked, "thing") + " compared."
	default:
		line = "Unknown: nothing that could be read differs, but not everything could be compared."
		if r.Coverage.Complete {
			line = "Unknown: nothing is declared or accepted that could be compared."
		}
	}
	if n := r.Summary.Transient; n > 0 {
		line += " " + comma(n) + " came and went."
	}
	if n := r.Summary.Accepted; n > 0 {
		line += " " + comma(n) + " accepted."
	}
	if n := r.Summary.Ignored; n > 0 {
		line += " " + comma(n) + " ignored."
	}
	if n := r.Summary.Pending; n > 0 {
		line += fmt.Sprintf(" %s in fewer than %d reports in a row.", comma(n), r.MinConsecutive)
	}
	if r.Verdict == drift.Drifted && !r.Coverage.Complete {
		line += " INCOMPLETE: some facts are missing, there may be more."
	}
	return line
}

// comparisonLine says how a report differs from the one before, "" without one.
func comparisonLine(c *drift.Comparison) string {
	if c == nil {
		return ""
	}
	line := fmt.Sprintf("since the report of %s: %s new, %s ongoing, %s resolved",
		when(c.PreviousAt), comma(len(c.New)), comma(len(c.Ongoing)), comma(len(c.Resolved)))
	if n := len(c.Unknown); n > 0 {
		line += ", " + comma(n) + " that nobody could look at"
	}
	return line
}

// settingsLine says what the settings were compared with.
func settingsLine(s drift.Settings) string {
	if s.ToRevision == 0 {
		return "settings not read"
	}
	line := fmt.Sprintf("settings as of revision %d (%s)", s.ToRevision, Clean(s.AsOf))
	if s.FromRevision == 0 {
		return line + "; no revision is accepted, so only what is declared was compared"
	}
	return line + fmt.Sprintf(", compared with revision %d", s.FromRevision)
}

// gapsLine names the revisions that are not visible, "" for none.
func gapsLine(s drift.Settings) string {
	if len(s.Gaps) == 0 {
		return ""
	}
	var parts []string
	for _, g := range s.Gaps[:min(len(s.Gaps), maxRows)] {
		parts = append(parts, g.String())
	}
	line := "revisions " + strings.Join(parts, ", ") + " not visible"
	if more := len(s.Gaps) - len(parts) + s.MoreGaps; more > 0 {
		line += fmt.Sprintf(" and %s ranges more", comma(more))
	}
	return line + ": nobody can tell what they changed"
}

// changeLine says how a setting differs.
func changeLine(c drift.Change) string {
	switch {
	case c.Secret:
		return "a secret below it was replaced"
	case c.ExpectedAbsent:
		return "is " + driftValue(c.After) + ", nothing may be there"
	case c.Expected.Found:
		return "is " + driftValue(c.After) + ", declared " + driftValue(c.Expected)
	}
	return driftValue(c.Before) + " -> " + driftValue(c.After)
}

// wasLine says what a declared setting was in the revision that the report compares with,
// "" if that says nothing.
func wasLine(c drift.Change, from int64) string {
	if !c.Declared() || c.Before.IsZero() || c.Before.Equal(c.After) || c.Transient {
		return ""
	}
	return fmt.Sprintf("was %s in revision %d", driftValue(c.Before), from)
}

func driftValue(v drift.Value) string {
	if !v.Found {
		return "(absent)"
	}
	return jsonValue(v.JSON)
}

// whoLine names who made a change; of one that came and went also who began it.
func whoLine(c drift.Change) string {
	if c.Revision == 0 {
		return "nobody can tell since which revision"
	}
	end := blameText(&org.Blame{Revision: c.Revision, Actor: c.Actor, UpdatedAt: c.UpdatedAt, AtOrBefore: c.AtOrBefore})
	if c.Began == nil {
		return end
	}
	line := fmt.Sprintf("revision %d by %s, %s", c.Began.Revision, actorName(c.Began.Actor), Clean(c.Began.UpdatedAt))
	line += fmt.Sprintf("; undone in revision %d by %s, %s", c.Revision, actorName(c.Actor), Clean(c.UpdatedAt))
	if d := c.Duration(); d > 0 {
		line += ", after " + duration(d)
	}
	return line
}

// duration is rounded to what a person wants to know.
func duration(d time.Duration) string {
	days, rest := d/(24*time.Hour), d%(24*time.Hour)
	switch {
	case days > 0:
		return strings.TrimSpace(count(int(days), "day") + " " + hours(rest))
	case d >= time.Minute:
		return hours(d)
	case d >= time.Second:
		return count(int(d/time.Second), "second")
	}
	return d.String()
}

func hours(d time.Duration) string {
	h, m := d/time.Hour, d%time.Hour/time.Minute
	switch {
	case h == 0 && m == 0:
		return ""
	case h == 0:
		return fmt.Sprintf("%d min", m)
	case m == 0:
		return fmt.Sprintf("%d h", h)
	}
	return fmt.Sprintf("%d h %d min", h, m)
}

// itemLines say how a list changed, one line for what is new, gone and different.
func itemLines(i *drift.Items) []string {
	if i == nil {
		return nil
	}
	var out []string
	add := func(sign string, list []drift.Value) {
		for _, v := range list[:min(len(list), maxRows)] {
			out = append(out, sign+" "+jsonValue(v.JSON))
		}
		if more := len(list) - maxRows; more > 0 {
			out = append(out, sign+" … and "+comma(more)+" more")
		}
	}
	add("+", i.Added)
	add("-", i.Removed)
	for _, c := range i.Changed[:min(len(i.Changed), maxRows)] {
		for _, d := range c.Changes[:min(len(c.Changes), maxRows)] {
			out = append(out, "~ "+Clean(c.Key)+" "+Clean(d.Path)+": "+driftValue(d.Before)+" -> "+driftValue(d.After))
		}
	}
	if more := len(i.Changed) - maxRows; more > 0 {
		out = append(out, "~ … and "+comma(more)+" more")
	}
	if i.Reordered {
		out = append(out, "the order changed")
	}
	return out
}

// limitsLine is the one honest thing to say of limits, "" where none is declared.
func limitsLine(l drift.Limits) string {
	if l.Total() == 0 {
		return ""
	}
	line := "limits: not checkable (write-only)."
	if n := l.Confirmed + l.Expired; n > 0 {
		entries := "1 entry"
		if n != 1 {
			entries = comma(n) + " entries"
		}
		line += " " + entries + " last confirmed by the service"
		if l.OldestConfirmation != nil {
			line += ", the oldest on " + l.OldestConfirmation.Format(time.DateOnly)
		}
		line += "."
	}
	for _, g := range []todo{{l.Expired, "expired"}, {l.Unknown, "unknown"}, {l.NeverSet, "never set"}} {
		if g.n > 0 {
			line += " " + comma(g.n) + " " + g.verb + "."
		}
	}
	return line
}

// acceptedLine says why a difference does not count, "" if it does.
func acceptedLine(a *drift.Accepted) string {
	if a == nil {
		return ""
	}
	line := "accepted: " + reason(a.Reason)
	if a.Until != "" {
		line += " (until " + Clean(a.Until) + ")"
	}
	return line
}

// ignoredLine says which rule leaves a difference out, "" if none does.
func ignoredLine(i *drift.Ignored) string {
	if i == nil {
		return ""
	}
	line := "ignored by " + Clean(i.Rule)
	if i.Reason != "" {
		line += ": " + reason(i.Reason)
	}
	if i.Expires != "" {
		line += " (until " + Clean(i.Expires) + ")"
	}
	return line
}

// asideLine says why a difference does not count, "" if it does.
func asideLine(a *drift.Accepted, i *drift.Ignored) string {
	return cmp.Or(acceptedLine(a), ignoredLine(i))
}

// driftName is what a project is called.
func driftName(r *drift.Report) string { return cmp.Or(r.Name, r.Project, ".") }

// openFindings are the findings that nobody accepted, the worst first.
func openFindings(all []org.Finding) []org.Finding {
	var out []org.Finding
	for _, g := range groupFindings(all) {
		if g.first.Status == org.Open || g.first.Status == org.Errored {
			out = append(out, g.list...)
		}
	}
	return out
}

func when(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }
