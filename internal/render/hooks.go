package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/govctl/govctl/internal/hooks"
)

// hookRunJSON is what the hooks of one event did.
type hookRunJSON struct {
	FormatVersion string `json:"format_version"`
	Failed        int    `json:"failed"`
	*hooks.Report
}

// HookRun writes what the hooks of one event did.
func HookRun(w io.Writer, format string, r *hooks.Report, o Options) error {
	if format == JSON {
		return WriteJSON(w, hookRunJSON{"1.0", r.Failed(), r})
	}
	out, c := &printer{w: w}, newPalette(o.Color)
	for i := range r.Commands {
		h := &r.Commands[i]
		word := c.green(h.Result)
		if h.Result != hooks.OK {
			word = c.red(h.Result)
		}
		of := ""
		if h.Matcher != "" {
			of = "  " + Clean(h.Matcher)
		}
		out.f("%s  %s%s  exit code %d, %d ms  %s\n", word, Clean(h.Command), of, h.ExitCode, h.DurationMS, c.dim(Clean(h.Source.String())))
		if h.Err != "" {
			out.f("      %s\n", Clean(h.Err))
		}
		stream(out, "stdout", h.Stdout)
		stream(out, "stderr", h.Stderr)
		if h.Cut {
			out.f("      %s\n", c.dim("… more was written"))
		}
	}
	if len(r.Commands) == 0 {
		out.f("No hook runs on %s.\n", Clean(r.Event))
	}
	return out.err
}

// stream writes what a command wrote, line by line.
func stream(out *printer, name, text string) {
	if text == "" {
		return
	}
	for line := range strings.SplitSeq(strings.TrimRight(text, "\r\n"), "\n") {
		out.f("      %s: %s\n", name, Clean(line))
	}
}

// hookDifferencesJSON is how a hooks.json differs from what is declared.
type hookDifferencesJSON struct {
	FormatVersion string             `json:"format_version"`
	Verdict       string             `json:"verdict"` // in_sync | drifted
	Differences   []hooks.Difference `json:"differences"`
}

// HookDifferences writes how the hooks.json called name differs from what is declared.
func HookDifferences(w io.Writer, format, name string, list []hooks.Difference, o Options) error {
	if format == JSON {
		v := hookDifferencesJSON{"1.0", "in_sync", list}
		if len(list) > 0 {
			v.Verdict = "drifted"
		}
		return WriteJSON(w, v)
	}
	out, c := &printer{w: w}, newPalette(o.Color)
	for _, d := range list {
		sign, why := c.red("- missing"), "declared at"
		if d.Change == "extra" {
			sign, why = c.yellow("+ extra  "), "stands at"
		}
		out.f("  %s  %s  %s  %s\n", sign, Clean(strings.TrimSpace(d.Event+" "+d.Matcher)), Clean(d.Command), c.dim(fmt.Sprintf("%s %s", why, Clean(d.Source.String()))))
	}
	if len(list) == 0 {
		out.f("%s has exactly the declared hooks.\n", Clean(name))
	}
	return out.err
}

// HooksDelivered writes what became of the events of a spool.
func HooksDelivered(w io.Writer, format string, d hooks.Delivered) error {
	if format == JSON {
		return WriteJSON(w, struct {
			FormatVersion string `json:"format_version"`
			hooks.Delivered
		}{"1.0", d})
	}
	out := &printer{w: w}
	out.f("%d sent, %d refused and put aside, %d left.\n", d.Sent, d.Refused, d.Left)
	if d.Busy {
		out.f("Another process is sending them.\n")
	}
	return out.err
}
