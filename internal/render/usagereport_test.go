package render

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/browsertest"
	"github.com/govctl/govctl/internal/drift"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/report"
)

func num(f float64) *json.Number {
	n := json.Number(fmt.Sprint(f))
	return &n
}

// usageOf is a report of a week with n people whose names, and those of everything else,
// are made by name.
func usageOf(n int, name func(string) string) *report.Report {
	const from, days = "2026-11-02", 7
	limits := map[org.Email]org.Limit{}
	for i := range n {
		if i%5 > 0 {
			e := org.Fold(name(fmt.Sprintf("p%d@acme.example", i)))
			limits[e] = org.Limit{Email: e, Credits: 5000, Why: "default"}
		}
	}
	m := report.New(report.Input{
		Name: name("acme"), Now: time.Date(2026, 11, 9, 9, 0, 0, 0, time.UTC), Key: org.Fold, Limits: limits,
		Target: org.Target{BaseURL: "https://api.example.com", Organization: "org_acme"},
		Window: report.Window{From: from, To: "2026-11-08", Days: days}, Models: &org.Models{Allowed: []string{name("model-a")}},
	})
	var tokens []api.TokenRow
	var tools []api.ToolRow
	var active []api.ActivityRow
	var work []api.ProductivityRow
	for d := range days {
		date := fmt.Sprintf("2026-11-%02d", 2+d)
		if d == 4 {
			continue // not reported
		}
		var users []api.UserRow
		all := 0.0
		for i := range n {
			credits := float64(100 + (i*37)%800)
			all += credits
			email := name(fmt.Sprintf("p%d@acme.example", i))
			users = append(users, api.UserRow{
				UserID: fmt.Sprintf("u%06d", i), UserEmail: &email, Date: date, BillableTokens: num(credits), Sessions: "1", UserMessages: "2",
				ToolCalls: "3", GitCommits: "1", PrimaryModel: name("model-a"), DelegationLevel: "auto-high",
			})
		}
		must(m.AddUsers(users))
		tokens = append(tokens, api.TokenRow{Date: date, BillableTokens: num(all), InputTokens: *num(all * 2), OutputTokens: "7", ByModel: []api.ModelUsage{
			{ModelID: name("model-a"), ModelTier: "standard", BillableTokens: num(all - 10), InputTokens: "1", OutputTokens: "1"},
			{ModelID: name("model-b"), ModelTier: "thinking", BillableTokens: num(10), InputTokens: "1", OutputTokens: "1"},
		}})
		tools = append(tools, api.ToolRow{
			Date: date, ToolCalls: "30", MCPUsersWithMCP: num(2), AutonomyRatioP50: num(1.5 + float64(d)/10), AutonomyRatioP90: num(3),
			ByTool:                 []api.ToolCount{{Tool: "read_file", Invocations: "20"}, {Tool: `{"x`, Invocations: "1"}},
			MCPByServer:            []api.ServerCount{{Server: name("Docs"), Invocations: "5"}, {Server: name("docs"), Invocations: "2"}},
			HooksByEvent:           []api.HookCount{{Event: "Stop", Command: name("notify --token c4n4ry"), Count: "2"}},
			ToolAutonomyLevelRatio: map[string]json.Number{"auto_high": "0.25", "manual": "0.75"},
		})
		active = append(active, api.ActivityRow{Date: date, DailyActiveUsers: *num(float64(n)), WeeklyActiveUsers: num(float64(n)), Sessions: num(9), Messages: num(40), UserMessages: num(20)})
		work = append(work, api.ProductivityRow{Date: date, FilesCreated: "1", FilesEdited: "2", GitCommits: "3", GitPRs: "1", ByLanguage: []api.LanguageCount{{Language: name("Go"), Count: "3"}}})
	}
	must(m.AddTokens(tokens))
	must(m.AddTools(tools))
	must(m.AddActivity(active))
	must(m.AddProductivity(work))
	m.SetReadiness([]api.Report{
		{ReportID: "r1", CreatedAt: "1762300800000", RepoURL: name("https://git.example/a"), Report: map[string]api.Criterion{name("lint"): {Numerator: "1", Denominator: "4"}, "tests": {Numerator: "2", Denominator: "2"}}},
		{ReportID: "r0", CreatedAt: "1762200800000", RepoURL: name("https://git.example/a"), Report: map[string]api.Criterion{name("lint"): {Numerator: "0", Denominator: "4"}}},
	}, []string{name("https://git.example/b")}, nil)
	m.SetHistory([]org.RevisionChange{
		{Revision: 7, UpdatedAt: "2026-11-05T10:00:00Z", Actor: org.Actor{Email: name("ada@acme.example")}, Changed: []string{name("sandbox")}},
		{Revision: 5, UpdatedAt: "2026-11-03T10:00:00Z", Actor: org.Actor{Email: name("linus@acme.example")}, Unknown: true},
	}, true)
	m.SetDrift(report.Line{Verdict: drift.Drifted, Summary: "Drifted: 2 differences.", Command: "govctl drift"})
	m.SetPolicy(report.Line{Verdict: drift.Pass, Summary: "Nothing found.", Command: "govctl policy check"})
	return m.Report()
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func plainWords(s string) string { return s }

// unknownUsage is a report of which nothing could be read.
func unknownUsage() *report.Report {
	m := report.New(report.Input{Name: "acme", Now: time.Unix(0, 0), Key: org.Fold, Window: report.Window{From: "2026-11-02", To: "2026-11-08", Days: 7}, LimitsUnknown: true})
	for _, s := range report.Sections() {
		m.Failed(s, errors.New("GET /x: status 403 (request r1)"))
	}
	return m.Report()
}

func usageReports() map[string]*report.Report {
	empty := report.New(report.Input{Name: "acme", Now: time.Unix(0, 0), Key: org.Fold, Window: report.Window{From: "2026-11-02", To: "2026-11-08", Days: 7}})
	return map[string]*report.Report{
		"usage_small":   usageOf(6, plainWords),
		"usage_unknown": unknownUsage(),
		"usage_empty":   empty.Report(),
		"usage_hostile": usageOf(3, func(s string) string { return hostileTexts[0] + s }),
	}
}

func writeUsage(t testing.TB, format string, r *report.Report) string {
	t.Helper()
	var b strings.Builder
	if err := UsageReport(&b, format, r, Options{Version: "1.2.3"}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestUsageReport holds every format of small reports.
func TestUsageReport(t *testing.T) {
	t.Parallel()
	for name, r := range usageReports() {
		for format, extension := range map[string]string{Text: "txt", Markdown: "md", JSON: "json", HTML: "html"} {
			if extension == "html" && name != "usage_small" {
				continue
			}
			golden(t, name+"."+extension, writeUsage(t, format, r))
		}
	}
}

// TestUsageReplay: the JSON is the value; every format of what is read back is the same.
func TestUsageReplay(t *testing.T) {
	t.Parallel()
	for name, r := range usageReports() {
		back, err := report.Decode([]byte(writeUsage(t, JSON, r)))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, format := range UsageReportFormats() {
			if diff := cmp.Diff(writeUsage(t, format, r), writeUsage(t, format, back)); diff != "" {
				t.Errorf("%s as %s: %s", name, format, diff)
			}
		}
	}
}

// elements counts the elements of a page by name and fails if they are not well formed.
func elements(page string) (map[string]int, error) {
	d := xml.NewDecoder(strings.NewReader(page))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	count := map[string]int{}
	depth := 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			if depth != 0 {
				return nil, fmt.Errorf("%d elements are not closed", depth)
			}
			return count, nil
		}
		switch x := token.(type) {
		case xml.StartElement:
			depth++
			count[x.Name.Local]++
			for _, a := range x.Attr {
				count["@"+a.Name.Local]++
			}
		case xml.EndElement:
			depth--
		}
		if err != nil {
			return nil, err
		}
	}
}

// TestUsageHostile: whatever names are, the page has the same elements and attributes, and
// no number is one that is none.
func TestUsageHostile(t *testing.T) {
	t.Parallel()
	want, err := elements(writeUsage(t, HTML, usageOf(4, plainWords)))
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		evil := rapid.OneOf(rapid.SampledFrom(hostileTexts), rapid.String(), rapid.StringMatching(`[<>"'&=/a-z -]{1,20}`)).Draw(t, "evil")
		r := usageOf(4, func(s string) string { return "x" + evil + s })
		var b strings.Builder
		if err := UsageReport(&b, HTML, r, Options{Version: "1.2.3"}); err != nil {
			t.Fatal(err)
		}
		got, err := elements(b.String())
		if err != nil {
			t.Fatalf("%q: %v", evil, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q changes the page: %s", evil, diff)
		}
		for _, format := range UsageReportFormats() {
			b.Reset()
			if err := UsageReport(&b, format, r, Options{}); err != nil {
				t.Fatal(err)
			}
			for _, bad := range []string{"NaN", "Inf", "##[", "c4n4ry"} {
				if strings.Contains(b.String(), bad) && !strings.Contains(evil, bad) {
					t.Fatalf("%q as %s: there is %s", evil, format, bad)
				}
			}
		}
	})
}

// TestUsagePageNeedsNothing holds that a page names nothing outside of itself.
func TestUsagePageNeedsNothing(t *testing.T) {
	t.Parallel()
	page := writeUsage(t, HTML, usageOf(40, plainWords))
	for _, bad := range []string{"src=", "@import", "url(", "<link", " style=", "javascript:", "onload", "http-equiv=\"refresh"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	if !strings.Contains(page, "script-src &#39;sha256-") {
		t.Error("the page has no content security policy for its script")
	}
}

// TestUsagePage opens reports in a real browser, as TestDriftPage does; ten thousand people
// open at once and are no more than two megabytes.
func TestUsagePage(t *testing.T) {
	t.Parallel()
	b := browsertest.Start(t)
	reports := usageReports()
	reports["usage_huge"] = usageOf(10000, plainWords)
	pages := map[string]string{"favicon.ico": ""}
	for name, r := range reports {
		pages[name] = writeUsage(t, HTML, r)
		if n := len(pages[name]); n > 2<<20 {
			t.Errorf("%s is %d bytes", name, n)
		}
	}
	server := httptest.NewServer(servePages(pages))
	t.Cleanup(server.Close)
	for _, name := range sortedNames(reports) {
		b.Do(chromedp.Navigate(server.URL + "/" + name))
		for _, scheme := range []string{"light", "dark"} {
			b.Scheme(scheme)
			for _, width := range []int64{360, 1440} {
				b.Do(chromedp.EmulateViewport(width, 844))
				if wide := b.Read(chromedp.Evaluate[string](overflowing)); wide != "" {
					t.Errorf("%s at %d px: wider than the screen: %s", name, width, wide)
				}
			}
			if bad := b.Read(chromedp.Evaluate[string](illegible)); bad != "" {
				t.Errorf("%s, %s: too little contrast: %s", name, scheme, bad)
			}
		}
		if bad := b.Read(chromedp.Evaluate[string](`[...document.querySelectorAll("svg[role=img]")].filter(e => !e.getAttribute("aria-label") && !(e.querySelector("title") || {}).textContent).length ? "a picture without words" : ""`)); bad != "" {
			t.Errorf("%s: %s", name, bad)
		}
		b.Shoot(name, 360, 1440)
	}
}

// TestUsagePageHover: the script shows the number under the pointer, and nothing is lost
// without it.
func TestUsagePageHover(t *testing.T) {
	t.Parallel()
	b := browsertest.Start(t)
	pages := map[string]string{"page": writeUsage(t, HTML, usageOf(6, plainWords)), "favicon.ico": ""}
	server := httptest.NewServer(servePages(pages))
	t.Cleanup(server.Close)
	b.Do(chromedp.Navigate(server.URL + "/page"))
	tip := b.Read(chromedp.Evaluate[string](`(() => { const bar = document.querySelector("[data-tip]"); bar.dispatchEvent(new PointerEvent("pointermove", {bubbles: true, clientX: 9, clientY: 99})); const tip = document.getElementById("tip"); return tip.hidden ? "" : tip.textContent })()`))
	if !strings.Contains(tip, "Mon 2026-11-02: ") || !strings.Contains(pages["page"], "<title>"+tip+"</title>") {
		t.Errorf("under the pointer is %q", tip)
	}
}
