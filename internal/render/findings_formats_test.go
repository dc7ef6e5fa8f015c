package render

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/org"
)

// hostFormats are the formats that code hosts and CI systems read, with the name of their
// goldens and what holds whatever the findings are.
var hostFormats = []struct {
	format, file string
	check        func(t rapid.TB, out string)
}{
	{SARIF, ".sarif", checkSARIF},
	{JUnit, ".junit.xml", checkJUnit},
	{GitHub, ".github.txt", checkGitHub},
	{GitLab, ".gitlab.json", checkGitLab},
}

// acme is a project in a repository with others.
var acme = Options{Dir: "orgs/acme", Place: at("govctl.hcl", 4), Now: now, Version: "v0.1.0"}

// rule makes a rule that is on.
func rule(id, kind, severity, title string, tags ...string) org.Rule {
	return org.Rule{ID: id, Kind: kind, Severity: severity, Title: title, Description: title + ", at length.\nIn lines.", Remediation: "Do  something\nabout it.", Enabled: true, Tags: tags}
}

// found makes a finding of a rule.
func found(r org.Rule, status, subject, path, message string) org.Finding {
	return org.Finding{Rule: r.ID, Severity: r.Severity, Status: status, Title: r.Title, Subject: subject, Path: path, Message: message, Remediation: r.Remediation}
}

// policyReport completes a report as the engine does.
func policyReport(rules []org.Rule, judged []org.Judged, findings ...org.Finding) *org.FindingsReport {
	r := &org.FindingsReport{Verdict: "pass", FailOn: "high", Rules: rules, Judged: judged, Findings: findings}
	if r.Summary = org.CountFindings(findings, r.FailOn); r.Summary.Denied > 0 {
		r.Verdict = "deny"
	}
	return r
}

func engineRules() []org.Rule {
	return []org.Rule{rule("SYS001", "", "high", "A policy could not be evaluated"), rule("WVR001", "", "high", "A waiver is no longer in force")}
}

func policyReports() map[string]*org.FindingsReport {
	rules := append([]org.Rule{
		rule("KEY001", "settings", "high", "No API key stands in the settings", "secrets"),
		rule("MCP001", "settings", "low", "Servers are pinned"),
		rule("PLN001", "plan", "critical", "Nobody gets more than the cap"),
		rule("RDY001", "readiness", "medium", "Repositories are ready"),
		rule("SBX001", "settings", "critical", "The sandbox is on", "sandbox", "sandbox", "isolation"),
		rule("SBX002", "settings", "info", "The sandbox has a name"),
	}, engineRules()...)
	rules = append(rules, org.Rule{ID: "ZZZ001", Kind: "settings", Severity: "low", Title: "A rule that is off"})
	judged := []org.Judged{
		{Kind: "settings", Subject: "settings@r42", Rules: 4}, {Kind: "plan", Subject: "plan", Rules: 1},
		{Kind: "readiness", Subject: "https://git.example.com/acme/api", Rules: 1}, {Kind: "readiness", Subject: "https://git.example.com/acme/web", Rules: 1},
	}
	sandbox := found(rules[4], org.Open, "settings@r42", "/sandbox/enabled", "the sandbox is off")
	sandbox.Source = &org.Source{File: "settings.hcl", Line: 3, Column: 5}
	sandbox.Blame = &org.Blame{Revision: 37, Actor: org.Actor{Email: "linus@example.com"}, UpdatedAt: "2026-11-03T09:00:00Z"}
	key := found(rules[0], org.Waived, "settings@r42", "/customModels/0/apiKey", "a key of 40 characters")
	key.Waiver = &org.Waiver{Rule: "KEY001", Target: "/customModels/0", Reason: "migration", Owner: "sec@example.com", Expires: "2026-12-31", Source: at("policy.yaml", 9)}
	limit := found(rules[2], org.Open, "ada@example.com", "/changes/3", "12,000,000 is more than 10,000,000")
	limit.Source = &org.Source{File: "limits/ml team.csv", Line: 7, Column: 1}
	mixed := policyReport(rules, judged,
		sandbox, key, limit,
		found(rules[3], org.Open, "https://git.example.com/acme/web", "/reports/0/score", "the score is 0.4, not 0.7"),
		found(rules[3], org.Open, "https://git.example.com/acme/web", "/reports/0/score", "the score fell"),
		found(rules[1], org.Indeterminate, "settings@r42", "/mcp", "cannot be judged: the document has no /mcp"),
		found(rules[5], org.Open, "settings@r42", "/sandbox", "it has none"),
		found(rules[6], org.Errored, "https://git.example.com/acme/api", "", "RDY001: division by zero"),
	)
	mixed.Gaps = []org.Gap{{Fact: "members", Error: "GET /api/v0/organization/users: status 500"}}
	return map[string]*org.FindingsReport{
		"findings_clean": policyReport(rules, judged), "findings_mixed": mixed, "findings_hostile": hostileFindings(),
		"findings_nothing": policyReport(nil, nil),
	}
}

func hostileFindings() *org.FindingsReport {
	r := &org.FindingsReport{Verdict: hostileTexts[0], FailOn: hostileTexts[1]}
	statuses := []string{org.Open, org.Waived, org.Indeterminate, org.Errored}
	for i, s := range hostileTexts {
		ru := rule(s, s, org.Severities()[i%5], s, s, s, "t")
		ru.Description, ru.Remediation = s, s
		r.Rules = append(r.Rules, ru)
		r.Judged = append(r.Judged, org.Judged{Kind: s, Subject: s})
		f := found(ru, statuses[i%4], s, s, s)
		f.Source = &org.Source{File: s, Line: i - 1, Column: math.MaxInt - i}
		f.Blame = &org.Blame{Revision: int64(i), Actor: org.Actor{Name: s}, UpdatedAt: s}
		f.Waiver = &org.Waiver{Rule: s, Target: s, Reason: s, Owner: s, Expires: s, Source: *f.Source}
		g := f
		g.Rule, g.Message = "no "+s, "[x](https://evil.example) {0} "+s
		r.Findings = append(r.Findings, f, g, f)
		r.Gaps = append(r.Gaps, org.Gap{Fact: s, Key: s, Error: s})
	}
	return r
}

func writeFindings(t rapid.TB, format string, r *org.FindingsReport, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Findings(&b, format, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestFindingsFormatsGoldens(t *testing.T) {
	t.Parallel()
	for name, r := range policyReports() {
		for _, f := range hostFormats {
			t.Run(name+f.file, func(t *testing.T) {
				t.Parallel()
				out := writeFindings(t, f.format, r, acme)
				f.check(t, out)
				golden(t, name+f.file, out)
			})
		}
	}
}

// drawFindings draws a report of hostile texts in every place, which need not make sense.
func drawFindings(t *rapid.T) *org.FindingsReport {
	text := rapid.OneOf(rapid.SampledFrom(hostileTexts), rapid.SampledFrom(hostileTexts), rapid.String(), rapid.SampledFrom([]string{"..", "/", "a:b", "../../etc/passwd", "C:\\x", "a//b", "{0}](", "settings@r1", "\ufffe"}),
		rapid.Map(rapid.SampledFrom(hostileTexts), func(s string) string { return strings.Repeat(s+"/", 60) }))
	pool := rapid.SliceOfN(text, 7, 7).Draw(t, "texts")
	next := 0
	str := func() string { // no draw of its own: large reports would take seconds
		next++
		return pool[next*next%len(pool)]
	}
	kinds := []string{"settings", "history", "plan", "", pool[0]}
	statuses := []string{org.Open, org.Waived, org.Indeterminate, org.Errored, pool[1]}
	severities := append(org.Severities(), pool[2])
	number := rapid.SampledFrom([]int{0, 1, 2, 15})
	r := &org.FindingsReport{Verdict: str(), FailOn: rapid.SampledFrom(append(severities, "")).Draw(t, "fail on")}
	for i := range number.Draw(t, "rules") {
		r.Rules = append(r.Rules, org.Rule{ID: str(), Kind: kinds[i%5], Title: str(), Description: str(), Remediation: str(), Severity: severities[i%6], Enabled: i%3 > 0, Tags: pool})
	}
	for i := range number.Draw(t, "judged") {
		r.Judged = append(r.Judged, org.Judged{Kind: kinds[i%4], Subject: str(), Rules: i % 3})
	}
	for i := range number.Draw(t, "findings") {
		src := &org.Source{File: str(), Line: i - 1, Column: i * math.MaxInt32}
		f := org.Finding{Rule: str(), Severity: severities[i%6], Status: statuses[(i+i/5)%5], Title: str(), Message: str(), Subject: str(), Path: str(), Remediation: str()}
		if i%2 == 0 {
			f.Source, f.Blame = src, &org.Blame{Actor: org.Actor{Name: str()}, UpdatedAt: str()}
		}
		if i%3 == 0 {
			f.Waiver = &org.Waiver{Rule: str(), Target: str(), Reason: str(), Owner: str(), Expires: str(), Source: *src}
		}
		r.Findings = append(r.Findings, f)
	}
	for range number.Draw(t, "gaps") {
		r.Gaps = append(r.Gaps, org.Gap{Fact: str(), Key: str(), Error: str()})
	}
	return r
}

// TestUniqueNames: two names that XML writes alike are two names.
func TestUniqueNames(t *testing.T) {
	t.Parallel()
	given := map[string]int{}
	var got []string
	for _, name := range []string{"a", "a", "a (2)", "\ufffe", "\uffff", "\ufffd"} {
		got = append(got, unique(given, name))
	}
	if diff := cmp.Diff([]string{"a", "a (2)", "a (2) (2)", "\ufffd", "\ufffd (2)", "\ufffd (3)"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestFindingsFormatsHold(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := drawFindings(t)
		o := Options{Dir: rapid.SampledFrom(append([]string{"", ".", "..", "/", "a/b"}, hostileTexts...)).Draw(t, "dir"), Place: org.Source{File: rapid.SampledFrom(hostileTexts).Draw(t, "place")}}
		for _, f := range hostFormats {
			out := writeFindings(t, f.format, r, o)
			f.check(t, out)
			if again := writeFindings(t, f.format, r, o); again != out {
				t.Fatalf("%s: equal reports, unequal bytes", f.format)
			}
		}
	})
}

// TestFindingsFormatsOrder holds that the order of a report's findings does not matter.
func TestFindingsFormatsOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := policyReports()["findings_mixed"]
		shuffled := *r
		shuffled.Findings = rapid.Permutation(r.Findings).Draw(t, "findings")
		for _, f := range hostFormats {
			if diff := cmp.Diff(writeFindings(t, f.format, r, acme), writeFindings(t, f.format, &shuffled, acme)); diff != "" {
				t.Fatalf("%s (-as judged +shuffled):\n%s", f.format, diff)
			}
		}
	})
}

// TestPlaces holds where findings stand in a repository.
func TestPlaces(t *testing.T) {
	t.Parallel()
	own := &org.Source{File: "limits/a.csv", Line: 7, Column: 2}
	for _, c := range []struct {
		name   string
		source *org.Source
		o      Options
		want   string
	}{
		{"its own", own, acme, "orgs/acme/limits/a.csv:7:2"},
		{"in the root", own, Options{}, "limits/a.csv:7:2"},
		{"in the root, spelt out", own, Options{Dir: "."}, "limits/a.csv:7:2"},
		{"of the project", nil, acme, "orgs/acme/govctl.hcl:4:3"},
		{"of a source without a file", &org.Source{Line: 3}, acme, "orgs/acme/govctl.hcl:4:3"},
		{"of nothing", nil, Options{Dir: "orgs/acme"}, "orgs/acme/govctl.hcl:1:1"},
		{"beside the project", &org.Source{File: "../shared/x.hcl"}, acme, "orgs/shared/x.hcl:1:1"},
		{"never outside", &org.Source{File: "../../../../etc/passwd"}, acme, "etc/passwd:1:1"},
		{"no blank name", &org.Source{File: " "}, acme, "orgs/acme/govctl.hcl:1:1"},
		{"never a directory", &org.Source{File: ".."}, Options{Dir: "a"}, "a/govctl.hcl:1:1"},
		{"no endless name", &org.Source{File: strings.Repeat("x", maxFile+1)}, Options{}, "govctl.hcl:1:1"},
		{"no endless directory", own, Options{Dir: strings.Repeat("x", maxFile)}, "govctl.hcl:1:1"},
		{"no line before the first", &org.Source{File: "a", Line: -1, Column: -1}, Options{}, "a:1:1"},
		{"no overflow", &org.Source{File: "a", Line: math.MaxInt, Column: math.MaxInt}, Options{}, fmt.Sprintf("a:%d:%[1]d", maxLine)},
	} {
		if got := c.o.place(c.source).String(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestLevels holds what is an error: exactly what denies.
func TestLevels(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		failOn, severity, status string
		want                     level
	}{
		{"", "high", org.Open, failing},
		{"", "medium", org.Open, warning},
		{"high", "critical", org.Errored, failing},
		{"critical", "high", org.Open, warning},
		{"low", "low", org.Open, failing},
		{"high", "low", org.Open, notice},
		{"high", "info", org.Open, notice},
		{"high", "critical", org.Waived, failing},
		{"high", "critical", org.Indeterminate, notice},
		{"high", "unheard of", org.Open, failing},
	} {
		f := org.Finding{Severity: c.severity, Status: c.status}
		if got := levelOf(f, c.failOn); got != c.want {
			t.Errorf("%+v: level %d", c, got)
		}
		if c.status != org.Waived && (levelOf(f, c.failOn) == failing) != f.Denies(c.failOn) {
			t.Errorf("%+v: an error must be what denies", c)
		}
	}
}

// TestFingerprints holds what a fingerprint depends on: neither revision, nor line, nor
// message, and everything else.
func TestFingerprints(t *testing.T) {
	t.Parallel()
	settings, history := rule("SBX001", "settings", "high", "t"), rule("HIS001", "history", "high", "t")
	one := func(change func(r *org.FindingsReport, f *org.Finding, o *Options)) string {
		f, o := found(settings, org.Open, "settings@r42", "/sandbox", "off"), Options{Dir: "acme"}
		r := &org.FindingsReport{Rules: []org.Rule{settings, history}, Judged: []org.Judged{{Kind: "settings", Subject: "settings@r42"}, {Kind: "history", Subject: "settings@r42"}}}
		change(r, &f, &o)
		r.Findings = append(r.Findings, f)
		return placeFindings(r, o)[0].fingerprint
	}
	same := one(func(*org.FindingsReport, *org.Finding, *Options) {})
	for name, c := range map[string]struct {
		change func(r *org.FindingsReport, f *org.Finding, o *Options)
		equal  bool
	}{
		"message": {func(_ *org.FindingsReport, f *org.Finding, _ *Options) { f.Message = "very off" }, true},
		"place": {func(_ *org.FindingsReport, f *org.Finding, o *Options) {
			f.Source, o.Place = &org.Source{File: "x"}, at("y", 1)
		}, true},
		"status": {func(_ *org.FindingsReport, f *org.Finding, _ *Options) { f.Status = org.Waived }, true},
		"revision": {func(r *org.FindingsReport, f *org.Finding, _ *Options) {
			f.Subject = "settings@r43"
			r.Judged[0].Subject = f.Subject
		}, true},
		"one of many revisions": {func(r *org.FindingsReport, _ *org.Finding, _ *Options) {
			r.Judged = append(r.Judged, org.Judged{Kind: "settings", Subject: "settings@r43"})
		}, false},
		"subject":                 {func(_ *org.FindingsReport, f *org.Finding, _ *Options) { f.Subject = "model-a" }, false},
		"path":                    {func(_ *org.FindingsReport, f *org.Finding, _ *Options) { f.Path += "/x" }, false},
		"rule":                    {func(_ *org.FindingsReport, f *org.Finding, _ *Options) { f.Rule = "SBX002" }, false},
		"spelling of the project": {func(_ *org.FindingsReport, _ *org.Finding, o *Options) { o.Dir = "./acme/" }, true},
		"project":                 {func(_ *org.FindingsReport, _ *org.Finding, o *Options) { o.Dir = "other" }, false},
		"moved border": {func(_ *org.FindingsReport, f *org.Finding, o *Options) {
			o.Dir, f.Rule = "acmeS", "BX001"
		}, false},
	} {
		if got := one(c.change); (got == same) != c.equal {
			t.Errorf("another %s: the fingerprint is the same: %v, want %v", name, got == same, c.equal)
		}
	}
	at42 := func(subject string) string {
		return one(func(r *org.FindingsReport, f *org.Finding, _ *Options) {
			f.Rule, f.Subject = history.ID, subject
			r.Judged[0].Subject = subject
		})
	}
	file := func(subject string) string {
		return one(func(r *org.FindingsReport, f *org.Finding, _ *Options) {
			f.Subject, r.Judged[0].Subject = subject, subject
		})
	}
	if file("settings@a.json") == file("settings@b.json") {
		t.Error("a finding on a file is about that file, and its fingerprint is not")
	}
	if at42("settings@r42") == at42("settings@r43") {
		t.Error("a finding on the history is about its revision, and its fingerprint is not")
	}
}
