package render

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/report"
)

// UsageReportFormats lists the formats of a report for people.
func UsageReportFormats() []string { return []string{Text, JSON, Markdown, HTML} }

// UsageReport writes a report for people.
func UsageReport(w io.Writer, format string, r *report.Report, o Options) error {
	switch format {
	case Text:
		return usageText(w, r, o)
	case JSON:
		return WriteJSON(w, r)
	case Markdown:
		return usageMarkdown(w, r, o)
	case HTML:
		return usageHTML(w, r, o)
	default:
		return CheckFormat(format, UsageReportFormats())
	}
}

// none is how something is shown that nobody knows.
const none = "-"

// amount writes a number as people read it: whole from a hundred on, else with a decimal.
func amount(f float64) string {
	if math.Abs(f) >= 100 {
		return humanize.CommafWithDigits(math.Round(f), 0)
	}
	return strconv.FormatFloat(math.Round(f*10)/10, 'f', -1, 64)
}

// known is amount of a number that may be unknown.
func known(f *float64) string {
	if f == nil {
		return none
	}
	return amount(*f)
}

// percent writes a share of 1.
func percent(share float64) string {
	p := share * 100
	if p > 0 && p < 1 {
		return "<1 %"
	}
	return amount(math.Round(p)) + " %"
}

func knownPercent(f *float64) string {
	if f == nil {
		return none
	}
	return percent(*f)
}

// ratio writes an average or a percentile.
func ratioWords(f *float64) string {
	if f == nil {
		return none
	}
	return strconv.FormatFloat(math.Round(*f*100)/100, 'f', -1, 64)
}

// windowWords says which days a report is about.
func windowWords(w report.Window) string {
	return fmt.Sprintf("%s through %s (UTC)", Clean(w.From), Clean(w.To))
}

// usageName is what a report is about.
func usageName(r *report.Report) string { return Clean(cmp.Or(r.Name, ".")) }

// usageHeadline sums a report up.
func usageHeadline(r *report.Report) string {
	var parts []string
	if c := r.Credits; c != nil {
		switch {
		case c.DaysReported == 0:
			parts = append(parts, "no day was reported")
		case c.Total == nil:
			parts = append(parts, amount(c.Input+c.Output)+" tokens (credits are hidden by the organization)")
		default:
			parts = append(parts, amount(*c.Total)+" credits")
		}
	}
	if p := r.People; p != nil {
		parts = append(parts, "by "+peopleWords(p.Active))
	}
	line := strings.Join(parts, " ")
	if line == "" {
		return "Report of " + count(r.Window.Days, "day")
	}
	line += " in " + count(r.Window.Days, "day")
	return strings.ToUpper(line[:1]) + line[1:]
}

// peopleWords counts people. Automation is among them (T39), so they are called users.
func peopleWords(n int) string { return count(n, "user") }

// limitWords is the sentence about usage against a limit that is the same everywhere.
const limitWords = "the service does not say over which period a limit counts"

// standingWords says where somebody stands.
func standingWords(p report.Person) string {
	switch p.Standing {
	case report.Above:
		return "as many as the limit or more"
	case report.Close:
		return "near the limit"
	case report.Below:
		return "below the limit"
	case report.NoLimit:
		return "no declared limit"
	case report.Ambiguous:
		return "not compared"
	}
	return "unknown"
}

// limitOf is a declared limit.
func limitOf(p report.Person) string {
	if p.Limit == nil {
		return none
	}
	return humanize.Comma(*p.Limit)
}

// lastsWords says how long as many credits as the limit last at the rate of the window.
func lastsWords(p report.Person) string {
	switch {
	case p.LimitDays == nil:
		return none
	case *p.LimitDays > 999:
		return ">999 days"
	}
	return count(max(0, int(math.Round(*p.LimitDays))), "day")
}

// modelWords says whether a model is allowed, by the declaration and by the settings.
func modelWords(m report.Model) (text, tone string) {
	switch m.Declared {
	case "allowed":
		return "allowed", "good"
	case "blocked":
		return "blocked", "bad"
	case "not_allowed":
		return "not in the declared list", "bad"
	}
	return "none declared", ""
}

// settingsModelWords says what the newest settings list of a model.
func settingsModelWords(m report.Model) string {
	switch m.Settings {
	case "listed":
		return "allowed list"
	case "blocked":
		return "blocked list"
	case "not_listed":
		return "not in the allowed list"
	case "all_allowed":
		return "all models of the service"
	}
	return none
}

// modelName is a model's name; usage of nobody-knows-which has none.
func modelName(id string) string { return cmp.Or(Clean(id), "(unnamed)") }

// serverWords names the spellings that were taken for one server.
func serverWords(s report.Server) string {
	if len(s.Variants) < 2 {
		return ""
	}
	var parts []string
	for _, v := range s.Variants {
		parts = append(parts, Clean(v.Name)+" "+amount(v.Count))
	}
	return "merged, differ by case: " + strings.Join(parts, ", ")
}

// rangeWords says a series that can be neither added nor averaged.
func rangeWords(r *report.Range, write func(*float64) string) string {
	if r == nil {
		return none
	}
	return fmt.Sprintf("%s on %s; %s to %s over the days", write(&r.Last), Clean(r.LastDay), write(&r.Least), write(&r.Most))
}

// repositoryWords says how a repository stands.
func repositoryWords(r report.Repository) (text, tone string) {
	switch r.Standing {
	case "low":
		return "below the declared " + ratioWords(r.MinScore), "bad"
	case "no_report":
		return "no report", "warn"
	case "unreadable":
		return "unreadable", "warn"
	}
	if r.MinScore != nil {
		return "at least the declared " + ratioWords(r.MinScore), "good"
	}
	return "", ""
}

// changeWords is a difference of scores in points of a hundred.
func changeWords(change *float64) string {
	if change == nil {
		return none
	}
	return strings.Replace(fmt.Sprintf("%+.0f", *change*100), "-0", "+0", 1)
}

// revisionWords is a revision and what it changed.
func revisionWords(c org.RevisionChange) string {
	if c.Unknown {
		return "nobody can tell what it changed: the revision before it is not visible"
	}
	var names []string
	for _, n := range c.Changed {
		names = append(names, Clean(n))
	}
	return cmp.Or(strings.Join(names, ", "), "nothing")
}
