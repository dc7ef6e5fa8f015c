package render

import (
	"cmp"
	"crypto/sha256"
	_ "embed" // the page, its style and its script
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/govctl/govctl/internal/drift"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/report"
)

var (
	//go:embed templates/usagereport.html
	usageTemplate string
	//go:embed templates/usagereport.css
	usageStyle string
	//go:embed templates/usagereport.js
	usageScript string
)

// usagePage is what the template of a report shows. Every text in it is harmless.
type usagePage struct {
	Policy, Version string
	Style           template.CSS
	Script          template.JS
	Name, Headline  string
	Tone            string
	Days, Made      string
	Organization    string
	Service         string
	Missing         []namedItem
	More            string // of Missing
	Tiles           []htmlTile
	Lines           []usageLine
	Sections        []usageSection
	Timeline        *timeline
	TimelineHint    string
	Notes           []usageNote
}

type usageLine struct{ Name, Tag, Tone, Text, Command string }

type usageNote struct{ Section, Text, Tone string }

// usageSection is a card of the page: words, charts, and tables.
type usageSection struct {
	ID, Title, Count string
	Lead             []string
	Blocks           []usageBlock
}

// usageBlock is a chart or a table with a heading of its own, or nothing but words.
type usageBlock struct {
	Title string
	Hint  string
	Chart *usageChart
	Bar   *limitsBar
	Table *usageTable
	Half  bool // narrow enough to stand beside another one
}

// usageHTML writes a report as one page that needs nothing else. Its style and its script,
// which only shows the numbers under the pointer, are inline and named by their hashes in
// the page's own content security policy. Everything can be read without the script.
func usageHTML(w io.Writer, r *report.Report, o Options) error {
	t, err := template.New("report").Funcs(template.FuncMap{"px": px, "pair": newCellPlace}).Parse(usageTemplate + timelineTemplate)
	if err != nil {
		return fmt.Errorf("parse the page: %w", err)
	}
	return t.Execute(guarded{w}, newUsagePage(r, o))
}

// px writes a length with two decimals.
func px(f float64) string { return strconv.FormatFloat(math.Round(f*100)/100, 'f', -1, 64) }

// cellPlace is a cell with what its column says.
type cellPlace struct {
	Cell  usageCell
	Class string
	First bool
}

func newCellPlace(t usageTable, i int, c usageCell) cellPlace {
	return cellPlace{c, t.Class(i), i == 0}
}

// scriptPolicy allows a page its own script.
func scriptPolicy(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func newUsagePage(r *report.Report, o Options) usagePage {
	style := pageStyle + usageStyle
	p := usagePage{
		Policy: pagePolicy(style) + scriptPolicy(usageScript), Style: template.CSS(style), Script: template.JS(usageScript), //nolint:gosec // our own files
		Version: Clean(o.Version), Name: usageName(r), Headline: usageHeadline(r), Days: windowWords(r.Window),
		Made: when(r.CreatedAt), Organization: Clean(organization(r.Target)), Service: Clean(r.Target.BaseURL), Tone: "good",
	}
	for _, g := range r.Missing[:min(len(r.Missing), maxGaps)] {
		p.Missing = append(p.Missing, namedItem{strings.TrimSpace(Clean(g.Fact) + " " + Clean(g.Key)), reason(g.Error)})
	}
	if more := len(r.Missing) - maxGaps; more > 0 {
		p.More = comma(more)
	}
	if len(r.Missing) > 0 {
		p.Tone = "warn"
	}
	p.Tiles = usageTiles(r)
	p.Lines = usageLines(r)
	for _, s := range []*usageSection{
		creditsSection(r), peopleSection(r.People), modelsSection(r.Models), toolsSection(r.Tools), autonomySection(r.Autonomy),
		activitySection(r.Activity), productivitySection(r.Productivity), readinessSection(r.Readiness),
	} {
		if s != nil {
			p.Sections = append(p.Sections, *s)
		}
	}
	if r.Settings != nil {
		p.Timeline = revisionsTimeline(r.Settings.Revisions)
		p.TimelineHint = timelineHint(r.Settings)
	}
	for _, n := range r.Notes {
		note := usageNote{Section: Clean(n.Section), Text: reason(n.Text)}
		if n.Warning {
			note.Tone = "warn"
		}
		p.Notes = append(p.Notes, note)
	}
	return p
}

func timelineHint(s *report.Settings) string {
	hint := fmt.Sprintf("The newest %s, %s of them in the days of this report.", count(len(s.Revisions), "revision"), comma(s.InWindow))
	if s.More {
		hint += " Older ones exist."
	}
	return hint
}

func usageTiles(r *report.Report) []htmlTile {
	var out []htmlTile
	add := func(number, text, tone string) { out = append(out, htmlTile{number, text, tone}) }
	if c := r.Credits; c != nil {
		if c.Total != nil {
			add(shortAmount(*c.Total), "credits", "")
			add(shortKnown(c.PerDay), "credits a day; "+shortKnown(c.Recent)+" lately", "")
		} else {
			add(shortAmount(c.Input+c.Output), "tokens; credits are hidden", "")
		}
	}
	if p := r.People; p != nil {
		add(comma(p.Active), "users in these days", "")
		if n := p.Standings[report.Above] + p.Standings[report.Close]; p.Idle != nil {
			tone := ""
			if n > 0 {
				tone = "warn"
			}
			add(comma(n), fmt.Sprintf("at %s of a declared limit or more", percent(p.Near)), tone)
		}
	}
	if a := r.Activity; a != nil && a.Daily != nil {
		add(amount(a.Daily.Most), "active on the busiest day", "")
	}
	if m := r.Models; m != nil && m.Declared {
		tone := ""
		if m.NotAllowed > 0 {
			tone = "bad"
		}
		add(comma(m.NotAllowed), "models used and not allowed", tone)
	}
	if x := r.Readiness; x != nil && len(x.Repositories) > 0 && x.Repositories[0].Score != nil {
		add(percent(*x.Repositories[0].Score), "lowest readiness of a repository", "")
	}
	if p := r.Productivity; p != nil {
		add(shortAmount(p.Commits), "commits, "+shortAmount(p.PRs)+" pull requests", "")
	}
	return out
}

// usageLines are drift and policy, in a line each.
func usageLines(r *report.Report) []usageLine {
	var out []usageLine
	if l := r.Drift; l != nil {
		tone := map[string]string{drift.InSync: "good", drift.Drifted: "bad"}[l.Verdict]
		tag, text, _ := strings.Cut(l.Summary, ":")
		out = append(out, usageLine{"Drift", Clean(tag), cmp.Or(tone, "warn"), reason(strings.TrimSpace(text)), Clean(l.Command)})
	}
	if l := r.Policy; l != nil {
		tag, tone := "Passes", "good"
		if l.Verdict != drift.Pass {
			tag, tone = "Denies", "bad"
		}
		out = append(out, usageLine{"Policy", tag, tone, reason(l.Summary), Clean(l.Command)})
	}
	return out
}

// revisionsTimeline is who changed which settings, nil without a revision.
func revisionsTimeline(list []org.RevisionChange) *timeline {
	var all []*entry
	for _, c := range list {
		e := &entry{Number: c.Revision, Actor: actorName(c.Actor), At: moment(c.UpdatedAt), raw: c.UpdatedAt}
		for _, name := range c.Changed {
			e.Paths = append(e.Paths, htmlTag{Clean(name), ""})
		}
		if c.Unknown {
			e.Paths = []htmlTag{{revisionWords(c), ""}}
		}
		all = append(all, e)
	}
	if len(all) == 0 {
		return nil
	}
	return arrangeTimeline(all, nil, rowsShown)
}
