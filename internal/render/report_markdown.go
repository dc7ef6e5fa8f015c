package render

import (
	"fmt"
	"io"

	"github.com/govctl/govctl/internal/apply"
	"github.com/govctl/govctl/internal/plan"
)

// reportMarkdown writes what an apply did: what is not confirmed first. Equal outcomes
// give equal bytes: how long it took is not said.
func reportMarkdown(w io.Writer, r *apply.Report, o Options) error {
	d := newDocument(o, "")
	d.must("## govctl apply\n\n**%s**\n\nPlan %s%s.\n", reportSummary(r), span(shortDigest(r.PlanDigest)), headText(o))
	var rows []string
	if r.Reason != "" {
		rows = append(rows, fmt.Sprintf("- **%s**: %s", verb(r.Result), spanReason(r.Reason)))
	}
	for _, kind := range []struct {
		what string
		list []apply.LimitOutcome
	}{{"refused", r.Limits.Refused}, {"unknown", r.Limits.Unknown}} {
		for _, g := range byError(kind.list) {
			var names []string
			for _, l := range g[:min(len(g), attentionNames)] {
				names = append(names, l.Email)
			}
			rows = append(rows, fmt.Sprintf("- **%s** %s: %s: %s", kind.what, count(len(g), "limit"), spans(span, names, len(g)-len(names)), spanReason(g[0].Error)))
		}
	}
	if n := len(r.Limits.NotAttempted); n > 0 {
		rows = append(rows, "- **not attempted**: "+count(n, "limit"))
	}
	for _, warning := range r.Warnings {
		rows = append(rows, "- **warning**: "+spanReason(warning))
	}
	d.rows("Needs attention", "", len(rows), d.room()*3/4, func(i int) string { return rows[i] })
	if n := len(r.Limits.Set); n > 0 {
		d.may("\n" + count(n, "limit") + " confirmed by the service" + earlier(r.Limits.Set) + ".\n")
	}
	reportObjects(d, "Computers", "computer", r.Computers)
	reportObjects(d, "Sessions", "session", r.Sessions)
	rows = nil
	for _, m := range r.Manual {
		rows = append(rows, fmt.Sprintf("- %s %s: %s", m.Result, span(m.Path), span(manualLine(m))))
	}
	d.rows("Settings", "", len(rows), d.room(), func(i int) string { return rows[i] })
	return d.finish(w)
}

// reportObjects is a table of what became of each object, what is not done first.
func reportObjects(d *document, title, noun string, all []apply.ObjectOutcome) {
	var list []apply.ObjectOutcome
	for _, result := range []string{apply.Failed, apply.Unknown, apply.NotAttempted, apply.Done} {
		for _, o := range all {
			if o.Result == result {
				list = append(list, o)
			}
		}
	}
	d.section(title, "| result | action | "+noun+" | why |", len(list), func(i int) string {
		o := list[i]
		result, why := "**"+verb(o.Result)+"**", o.Error
		switch {
		case o.Action == plan.ActionBlocked:
			result = "**blocked**"
		case o.Result == apply.Done:
			result = apply.Done
		}
		if o.Earlier {
			why = "by an earlier apply"
		}
		return fmt.Sprintf("| %s | %s | %s | %s |", result, cell(verb(o.Action)), cell(o.Name), cell(why))
	})
}
