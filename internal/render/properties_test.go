package render

import (
	"bytes"
	"fmt"
	"math/rand"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
)

// drawPlan draws a plan of hostile texts in every place, of any size. It need not make
// sense: a renderer gets whatever a plan file says.
func drawPlan(t *rapid.T) *plan.Plan { return drawPlanOf(t, 0, 1, 3, 20, 150) }

// drawPlanOf is drawPlan with that many limits.
func drawPlanOf(t *rapid.T, limits ...int) *plan.Plan {
	text := rapid.OneOf(rapid.SampledFrom(hostileTexts), rapid.SampledFrom(hostileTexts), rapid.String(),
		rapid.Map(rapid.SampledFrom(hostileTexts), func(s string) string { return strings.Repeat(s+"|", 30) }))
	pool := rapid.SliceOfN(text, 7, 7).Draw(t, "texts")
	next := 0
	str := func(string) string { // no draw of its own: large plans would take seconds
		next++
		return pool[next*next%len(pool)]
	}
	number := rapid.SampledFrom([]int{0, 1, 3, 20, 150})
	fields := []plan.Field{{Name: str("field"), Before: str("before"), After: str("after")}}
	src := org.Source{File: str("file"), Line: 1, Column: 2}
	p := &plan.Plan{
		Project: str("project"), Digest: str("digest"), Selection: plan.Selection{Target: []string{str("target")}},
		Target: org.Target{BaseURL: str("url"), Organization: str("org")},
	}
	p.Basis.Ledger.Lineage, p.Basis.SettingsRevision = str("lineage"), 42
	for i := range rapid.SampledFrom(limits).Draw(t, "limits") {
		p.Limits = append(p.Limits, plan.LimitChange{
			Action: []string{plan.ActionSet, plan.ActionRaise, plan.ActionLower, plan.ActionReassert}[i%4], Email: org.Email(str("email")),
			Before: plan.LimitBefore{Grade: []org.Grade{org.NeverSet, org.Confirmed, org.Unknown}[i%3], Value: int64(i % 5)}, After: int64(i * i % 31),
			Why: str("why"), Reason: str("reason"), Source: src,
		})
	}
	for i := range number.Draw(t, "computers") {
		p.Computers = append(p.Computers, plan.ComputerChange{
			Action: []string{plan.ActionCreate, plan.ActionUpdate, plan.ActionBlocked, plan.ActionRetryInstall}[i%4], Name: str("name"), Provider: str("provider"), Fields: fields, Detail: str("detail"), Source: src,
			OnCreate: &org.OnCreate{Repos: []string{"r"}, ServiceAccountID: str("account"), Source: map[string]any{str("key"): str("value")}},
		})
	}
	for range number.Draw(t, "sessions") {
		p.Sessions = append(p.Sessions, plan.SessionChange{ID: str("session"), Fields: fields})
	}
	for i := range number.Draw(t, "settings") {
		p.Settings = append(p.Settings, plan.SettingChange{
			Pointer: str("pointer"), Found: i%2 == 0, Before: map[string]any{"k": []any{str("is")}}, After: str("should"), Source: src,
			Blame: &org.Blame{Revision: 3, Actor: org.Actor{Name: str("actor")}, UpdatedAt: str("time")},
		})
	}
	for i := range number.Draw(t, "notes") {
		n := plan.Note{Code: str("code"), Message: str("message"), Refuses: i%2 == 0}
		for range i % 6 {
			n.Items = append(n.Items, plan.NoteItem{Key: str("item"), Detail: str("item detail"), Source: &src})
		}
		p.Notes = append(p.Notes, n)
	}
	for range number.Draw(t, "findings") {
		p.Findings = append(p.Findings, org.Finding{Rule: str("rule"), Severity: str("severity"), Status: str("status"), Subject: str("subject"), Message: str("finding")})
	}
	for range number.Draw(t, "gaps") {
		p.Incomplete = append(p.Incomplete, org.Gap{Fact: str("fact"), Key: str("gap"), Error: str("error")})
	}
	return p
}

// border matches a cell border: a bar that no backslash precedes, also inside code.
var border = regexp.MustCompile(`(^|[^\\])\|`)

// checkMarkdown holds what keeps a comment in one piece.
func checkMarkdown(t rapid.TB, out string) {
	t.Helper()
	checkMarkdownWithin(t, out, MarkdownBudget)
}

func checkMarkdownWithin(t rapid.TB, out string, budget int) {
	t.Helper()
	if len(out) > budget {
		t.Fatalf("%d bytes, the budget is %d", len(out), budget)
	}
	open, columns := 0, 0
	lines := strings.Split(out, "\n")
	for i, line := range lines {
		switch {
		case strings.HasPrefix(line, "<details>"):
			open++
			if lines[i+1] != "" {
				t.Fatalf("no blank line after %q: what follows would stay raw", line)
			}
		case strings.HasPrefix(line, "</details>"):
			open--
		case strings.HasPrefix(line, "|"):
			n := len(border.FindAllString(line, -1))
			if columns == 0 {
				columns = n
			}
			if n != columns {
				t.Fatalf("%d borders, the header has %d: %q", n, columns, line)
			}
			continue
		case line != "" && !strings.ContainsAny(line[:1], "#*-STCPAL123456789"):
			t.Fatalf("an unexpected line: %q", line)
		}
		columns = 0
		if open < 0 || open > 1 {
			t.Fatalf("details are not balanced at %q", line)
		}
	}
	if open != 0 {
		t.Fatal("details are not closed")
	}
}

func TestPlanIsHarmless(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlan(t)
		for _, format := range PlanFormats() {
			var a, b bytes.Buffer
			if err := Plan(&a, format, p, Options{}); err != nil {
				t.Fatal(err)
			}
			if format == GitHub {
				checkGitHub(t, a.String()) // its business is commands
				continue
			}
			checkHarmless(t, a.String())
			if format == JSON {
				continue // the encoder's business, and large
			}
			if err := Plan(&b, format, p, Options{}); err != nil || a.String() != b.String() {
				t.Fatalf("%s: equal plans, unequal bytes, %v", format, err)
			}
			if format == Markdown {
				checkMarkdown(t, a.String())
			}
		}
	})
}

// TestValuesTogether holds that values which are harmless alone do not make a command.
func TestValuesTogether(t *testing.T) {
	t.Parallel()
	p := &plan.Plan{Computers: []plan.ComputerChange{{Action: plan.ActionUpdate, Name: "a", Fields: []plan.Field{{Name: ":", Before: "x", After: "y"}}}}}
	text := write(t, Text, p, Options{})
	checkHarmless(t, text)
	if want := "\uFFFD      :: \"x\" -> \"y\"\n"; !strings.Contains(text, want) {
		t.Errorf("no line %q in:\n%s", want, text)
	}
}

// TestGoldensAreHarmless holds the same of the plans that make sense.
func TestGoldensAreHarmless(t *testing.T) {
	t.Parallel()
	for name, p := range plans() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, markdown := write(t, Text, p, Options{}), write(t, Markdown, p, Options{})
			checkHarmless(t, text)
			checkHarmless(t, markdown)
			checkHarmless(t, write(t, JSON, p, Options{}))
			checkMarkdown(t, markdown)
			if lines := strings.Count(text, "\n"); lines > 80 && name != "hostile" {
				t.Errorf("%d lines of text", lines)
			}
		})
	}
}

// TestColor holds that colors add nothing but escape sequences, and only when asked for.
func TestColor(t *testing.T) {
	t.Parallel()
	escape := regexp.MustCompile("\x1b\\[[0-9;]*m")
	for name, p := range plans() {
		plain, colored := write(t, Text, p, Options{}), write(t, Text, p, Options{Color: true})
		if !escape.MatchString(colored) {
			t.Errorf("%s: no color when asked for", name)
		}
		if got := escape.ReplaceAllString(colored, ""); got != plain {
			t.Errorf("%s: colors change the text", name)
		}
	}
	if Red("x", false) != "x" || Red("x", true) == "x" {
		t.Errorf("Red = %q and %q", Red("x", false), Red("x", true))
	}
}

// TestGroupsAccountForAll holds that arranging loses nobody and keeps the order of risk.
func TestGroupsAccountForAll(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlan(t)
		rand.New(rand.NewSource(1)).Shuffle(len(p.Limits), func(i, j int) { p.Limits[i], p.Limits[j] = p.Limits[j], p.Limits[i] })
		l := groupLimits(p.Limits)
		seen, last, perRisk := map[int]bool{}, 0, map[int]int{}
		for _, g := range l.groups {
			if g.risk() < last {
				t.Fatalf("risk %d after %d", g.risk(), last)
			}
			last = g.risk()
			perRisk[last]++
			for _, i := range g.members {
				if c := l.changes[i]; seen[i] || c.Action != g.Action || c.After < g.After || c.After > g.high {
					t.Fatalf("%+v does not belong to %s of %d … %d, or stands twice", c, g.Action, g.After, g.high)
				}
				seen[i] = true
			}
			if perRisk[last] > groupsPerRisk+1 {
				t.Fatalf("%d groups of risk %d", perRisk[last], last)
			}
		}
		if len(seen) != len(p.Limits) || len(l.order) != len(p.Limits) {
			t.Fatalf("%d in groups, %d in order, of %d", len(seen), len(l.order), len(p.Limits))
		}
		for k, i := range l.order {
			if k > 0 && (group{LimitChange: l.changes[i]}).risk() < (group{LimitChange: l.changes[l.order[k-1]]}).risk() {
				t.Fatal(fmt.Sprint("the order of risk is broken at ", k))
			}
		}
	})
}
