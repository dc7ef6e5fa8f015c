package render

import (
	"cmp"
	"crypto/sha256"
	_ "embed" // the page and its style
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"

	"github.com/govctl/govctl/internal/drift"
)

var (
	//go:embed templates/drift.html
	driftTemplate string
	//go:embed templates/timeline.html
	timelineTemplate string
	//go:embed templates/page.css
	pageStyle string
)

// driftPage is what the template of a drift report shows. Every text in it is harmless.
type driftPage struct {
	Policy, Version string
	Style           template.CSS
	Project         string
	Word, Headline  string
	Tone            string // good | bad | warn
	Basis           string
	Organization    string
	Service         string
	Created         string
	Compared        string
	Coverage        string
	Missing         *named
	Tiles           []htmlTile
	Timeline        *timeline
	Sections        []htmlSection
	Limits          *limitsBar
	Unmanaged       []named
}

type htmlTile struct{ Number, Text, Tone string }

// named is a list of things with a word about each, of which the first are shown.
type named struct {
	Title string
	Count string
	Shown []namedItem
	More  string
}

type namedItem struct{ Name, Text string }

// htmlNames is how many names of a list a page shows.
const htmlNames = 500

// driftHTML writes a report as one page that needs nothing else: its style is inline and
// named by its hash in the page's own content security policy, and it has no script. Long
// lists are folded, and what is folded costs a browser nothing.
func driftHTML(w io.Writer, r *drift.Report, o Options) error {
	t, err := template.New("drift").Parse(driftTemplate + timelineTemplate)
	if err != nil {
		return fmt.Errorf("parse the page: %w", err)
	}
	return t.Execute(guarded{w}, newDriftPage(r, o))
}

// guarded breaks workflow commands, should anybody print a page in a CI log.
type guarded struct{ w io.Writer }

func (g guarded) Write(p []byte) (int, error) {
	if s := strings.ReplaceAll(string(p), "##", "#&#35;"); s != string(p) {
		_, err := io.WriteString(g.w, s)
		return len(p), err
	}
	return g.w.Write(p)
}

// pagePolicy allows a page its own style and nothing else.
func pagePolicy(style string) string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"
}

func newDriftPage(r *drift.Report, o Options) driftPage {
	p := driftPage{
		Policy: pagePolicy(pageStyle), Style: template.CSS(pageStyle), Version: Clean(o.Version), //nolint:gosec // our own file
		Project: Clean(driftName(r)), Basis: settingsLine(r.Settings),
		Organization: Clean(organization(r.Target)), Service: Clean(r.Target.BaseURL), Created: when(r.CreatedAt),
		Compared: comparedWords(r.Comparison),
	}
	p.Word, p.Headline, _ = strings.Cut(driftSummary(r), ":")
	p.Headline, _, _ = strings.Cut(strings.TrimSpace(p.Headline), ". ") // the numbers say the rest
	p.Headline = strings.TrimSuffix(p.Headline, ".")
	p.Tone = map[string]string{drift.InSync: "good", drift.Drifted: "bad"}[r.Verdict]
	p.Tone = cmp.Or(p.Tone, "warn")
	if !r.Coverage.Complete {
		p.Missing = &named{}
		for _, g := range r.Coverage.Missing[:min(len(r.Coverage.Missing), maxGaps)] {
			p.Missing.Shown = append(p.Missing.Shown, namedItem{strings.TrimSpace(Clean(g.Fact) + " " + Clean(g.Key)), reason(g.Error)})
		}
		if more := len(r.Coverage.Missing) - maxGaps; more > 0 {
			p.Missing.More = comma(more)
		}
	}
	p.Coverage = "Everything that can be read was read: " + count(r.Summary.Checked, "thing") + " compared."
	p.Tiles = driftTiles(r)
	p.Timeline = newTimeline(r)
	p.Sections = driftSections(r)
	p.Limits = newLimitsBar(r.Limits)
	p.Unmanaged = htmlUnmanaged(r.Unmanaged)
	return p
}

// comparedWords says how a report differs from the one before, "" without one.
func comparedWords(c *drift.Comparison) string {
	line := comparisonLine(c)
	_, after, _ := strings.Cut(line, ": ")
	if after == "" {
		return ""
	}
	return after + " (" + when(c.PreviousAt) + ")"
}

func driftTiles(r *drift.Report) []htmlTile {
	tile := func(n int, tone, text string) htmlTile {
		if n == 0 {
			tone = ""
		}
		return htmlTile{comma(n), text, tone}
	}
	word := "differences"
	if r.Summary.Drifted == 1 {
		word = "difference"
	}
	out := []htmlTile{
		tile(r.Summary.Drifted, "bad", word),
		tile(r.Summary.Transient, "warn", "came and went"),
		tile(r.Summary.Accepted, "", "accepted"),
	}
	if n := r.Summary.Ignored; n > 0 {
		out = append(out, tile(n, "", "ignored by rule"))
	}
	if c := r.Comparison; c != nil {
		out = append(out, tile(len(c.New), "bad", "new since the last report"))
	}
	if n := len(r.Computers); n > 0 {
		same := 0
		for _, m := range r.Computers {
			if m.Verdict == drift.InSync {
				same++
			}
		}
		out = append(out, htmlTile{fmt.Sprintf("%s/%s", comma(same), comma(n)), "computers in sync", ""})
	}
	if n := r.Limits.Total(); n > 0 {
		out = append(out, tile(n, "", "limits, unverifiable"))
	}
	return out
}

// limitsBar is what is remembered of limits as shares of a bar.
type limitsBar struct {
	Total, Label, Oldest string
	Parts                []limitsPart
}

type limitsPart struct {
	Class, Name, Number, Text string
	X, Width                  int // of 1000
}

func newLimitsBar(l drift.Limits) *limitsBar {
	total := l.Total()
	if total == 0 {
		return nil
	}
	b := &limitsBar{Total: comma(total)}
	var label []string
	x := 0
	for i, g := range []struct {
		n          int
		name, text string
	}{
		{l.Confirmed, "confirmed", "the service acknowledged them"},
		{l.Expired, "expired", "confirmed too long ago"},
		{l.Unknown, "unknown", "asked for, and no usable answer"},
		{l.NeverSet, "never set", "declared, and never sent"},
	} {
		if g.n == 0 {
			continue
		}
		width := max(g.n*1000/total, 4) // that nothing disappears
		b.Parts = append(b.Parts, limitsPart{fmt.Sprint("g", i), g.name, comma(g.n), g.text, x, width})
		label = append(label, comma(g.n)+" "+g.name)
		x += width
	}
	b.Parts[len(b.Parts)-1].Width += max(0, 1000-x)
	b.Label = strings.Join(label, ", ")
	if l.OldestConfirmation != nil {
		b.Oldest = l.OldestConfirmation.UTC().Format(time.DateOnly)
	}
	return b
}

// htmlUnmanaged arranges what nothing governs by why.
func htmlUnmanaged(u drift.Unmanaged) []named {
	var out []named
	for _, g := range unmanagedUpTo(u, htmlNames) {
		n := named{Title: g.what, Count: comma(g.total)}
		for _, name := range g.names {
			n.Shown = append(n.Shown, namedItem{Name: Clean(name)})
		}
		if more := g.total - len(g.names); more > 0 {
			n.More = comma(more)
		}
		out = append(out, n)
	}
	return out
}
