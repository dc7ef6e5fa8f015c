package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/govctl/govctl/internal/apply"
	"github.com/govctl/govctl/internal/plan"
)

// ReportFormats lists the formats of an apply report.
func ReportFormats() []string { return []string{Text, JSON, Markdown} }

// Report writes an apply report.
func Report(w io.Writer, format string, r *apply.Report, o Options) error {
	switch format {
	case Text:
		return reportText(w, r, o)
	case JSON:
		return WriteJSON(w, r)
	case Markdown:
		return reportMarkdown(w, r, o)
	default:
		return CheckFormat(format, ReportFormats())
	}
}

// outcomeNames is how many limits with the same outcome are named.
const outcomeNames = 4

// reportText says first what went wrong and last what was done.
func reportText(w io.Writer, r *apply.Report, o Options) error {
	out, c := &printer{w: w}, newPalette(o.Color)
	if r.Reason != "" {
		label := "stopped:"
		if r.Result == apply.ResultRefused {
			label = "refused:"
		}
		out.f("%s %s\n", c.red(label), reason(r.Reason))
	}
	outcomes(out, c.red("refused"), r.Limits.Refused)
	outcomes(out, c.red("unknown"), r.Limits.Unknown)
	for _, result := range []string{apply.Failed, apply.Unknown, apply.NotAttempted, apply.Done} {
		objects(out, c, "computer", result, r.Computers)
		objects(out, c, "session", result, r.Sessions)
	}
	if n := len(r.Limits.NotAttempted); n > 0 {
		out.f("%s  %s\n", c.yellow("not attempted"), count(n, "limit"))
	}
	for _, m := range r.Manual[:min(len(r.Manual), maxRows)] {
		paint := c.green
		if m.Result == apply.Open {
			paint = c.yellow
		}
		out.f("%s\n", row(paint(m.Result), "setting "+Clean(m.Path), manualLine(m)))
	}
	out.more(len(r.Manual), maxRows)
	for _, warning := range r.Warnings[:min(len(r.Warnings), maxRows)] {
		out.f("%s %s\n", c.yellow("warning:"), reason(warning))
	}
	out.more(len(r.Warnings), maxRows)
	if n := len(r.Limits.Set); n > 0 {
		out.f("%s  %s confirmed by the service%s\n", c.green("set"), count(n, "limit"), earlier(r.Limits.Set))
	}
	out.f("%s\n", c.bold(reportSummary(r)))
	return out.err
}

// manualLine says who closed a manual item, or that nobody did.
func manualLine(m apply.ManualOutcome) string {
	switch {
	case m.Result == apply.Open:
		return "nobody changed it in the web application yet"
	case m.Revision == 0:
		return "nobody can tell in which revision"
	}
	return fmt.Sprintf("in revision %d by %s, %s", m.Revision, actorName(m.Actor), Clean(m.UpdatedAt))
}

// earlier says how many limits an earlier apply of the same plan got confirmed.
func earlier(list []apply.LimitOutcome) string {
	n := 0
	for _, l := range list {
		if l.Earlier {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return ", " + comma(n) + " of them to an earlier apply"
}

// outcomes lists limits by what the service said, so that a refused batch is one line.
func outcomes(out *printer, label string, list []apply.LimitOutcome) {
	groups := byError(list)
	for _, g := range groups[:min(len(groups), maxRows)] {
		if len(g) == 1 {
			out.f("%s\n", row(label, Clean(g[0].Email)+" = "+humanize.Comma(g[0].Limit), reason(g[0].Error)))
			continue
		}
		var names []string
		for _, l := range g[:min(len(g), outcomeNames)] {
			names = append(names, Clean(l.Email))
		}
		if len(g) > len(names) {
			names = append(names, "…")
		}
		out.f("%s\n    %s\n", row(label, count(len(g), "limit"), reason(g[0].Error)), strings.Join(names, ", "))
	}
	out.more(len(groups), maxRows)
}

// byError arranges limits by what the service said, in the order of the first of each.
func byError(list []apply.LimitOutcome) [][]apply.LimitOutcome {
	index := map[string]int{}
	var groups [][]apply.LimitOutcome
	for _, l := range list {
		i, ok := index[l.Error]
		if !ok {
			i = len(groups)
			index[l.Error] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], l)
	}
	return groups
}

// objects lists the computers or sessions of one result.
func objects(out *printer, c palette, kind, result string, list []apply.ObjectOutcome) {
	paint := c.red
	switch result {
	case apply.Done:
		paint = c.green
	case apply.NotAttempted:
		paint = c.yellow
	}
	n := 0
	for _, o := range list {
		if o.Result != result {
			continue
		}
		if n++; n > maxRows {
			continue
		}
		id := ""
		if o.ID != "" && o.ID != o.Name {
			id = " (" + Clean(o.ID) + ")"
		}
		label, what := verb(result), kind+" "+verb(o.Action)
		if o.Action == plan.ActionBlocked {
			label, what = verb(o.Action), kind
		}
		note := reason(o.Error)
		if o.Earlier {
			note = "by an earlier apply"
		}
		out.f("%s\n", row(paint(label), what+" "+Clean(o.Name)+id, note))
	}
	out.more(n, maxRows)
}

// reportSummary is the last line of an apply.
func reportSummary(r *apply.Report) string {
	sent := count(r.Requests, "request")
	if r.Retries > 0 {
		sent += ", " + comma(r.Retries) + " retried"
	}
	switch r.Result {
	case apply.ResultNothing:
		return "Nothing to do."
	case apply.ResultApplied:
		return "Applied: everything planned is confirmed. " + sent + "."
	case apply.ResultRefused:
		return "Refused: nothing was sent."
	case apply.ResultInterrupted:
		return "Interrupted: " + sent + ". The ledger knows what was done; plan again to go on."
	case apply.ResultFailed:
		return "Failed: nothing is confirmed. " + sent + "."
	default:
		return "Partly applied: " + sent + ". The ledger knows what is not confirmed; plan again to go on."
	}
}
