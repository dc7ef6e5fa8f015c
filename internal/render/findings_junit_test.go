package render

import (
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/org"
)

// checkJUnit holds the dialect without a schema: which attributes there are, that counts
// are right and that no reader finds two cases of one name.
func checkJUnit(t rapid.TB, out string) {
	t.Helper()
	checkHarmless(t, out)
	attributes := map[string][]string{
		"testsuites": nil, "properties": nil, "system-out": nil, "system-err": nil, "property": {"name", "value"},
		"testsuite": {"name", "package", "id", "hostname", "timestamp", "time", "tests", "failures", "errors", "skipped"},
		"testcase":  {"name", "classname", "time"}, "failure": {"message", "type"}, "error": {"message", "type"}, "skipped": {"message"},
	}
	d := xml.NewDecoder(strings.NewReader(out))
	for {
		token, err := d.Token()
		if token == nil {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		var names []string
		for _, a := range e.Attr {
			names = append(names, a.Name.Local)
		}
		if want, known := attributes[e.Name.Local]; !known || !slices.Equal(names, want) {
			t.Fatalf("<%s> has %q", e.Name.Local, names)
		}
	}
	report := parseJUnit(t, out)
	total := 0
	for i, s := range report.Suites {
		names, got := map[string]bool{}, junitSuite{}
		for _, c := range s.Cases {
			if key := strings.Join(strings.Fields(c.Name), " "); names[key] || c.Name == "" {
				t.Fatalf("two cases, or a nameless one: %q", c.Name)
			} else {
				names[key] = true
			}
			got.add(c)
			for _, p := range []*junitProblem{c.Failure, c.Error} {
				if p != nil && (xmlSize(p.Text) > maxFailure || p.Text == "" || p.Type == "") {
					t.Fatalf("%d bytes in a problem of type %q", xmlSize(p.Text), p.Type)
				}
			}
		}
		total += len(s.Cases)
		if s.ID != i || s.Tests != len(s.Cases) || s.Failures != got.Failures || s.Errors != got.Errors || s.Skipped != got.Skipped || s.Name == "" || len(s.Properties) == 0 {
			t.Fatalf("suite %d: %+v", i, s)
		}
	}
	if total > maxCases+maxGaps {
		t.Fatalf("%d cases", total)
	}
}

func parseJUnit(t rapid.TB, out string) junitReport {
	t.Helper()
	var report junitReport
	if err := xml.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err)
	}
	return report
}

// TestJUnitSchemas asks the two schemas themselves.
func TestJUnitSchemas(t *testing.T) {
	t.Parallel()
	reports := policyReports()
	reports["large"] = policyReport(nil, nil, loudFindings(300)...)
	for name, r := range reports {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			validJUnit(t, writeFindings(t, JUnit, r, acme))
		})
	}
}

// validJUnit validates a report by both schemas.
func validJUnit(t *testing.T, report string) {
	t.Helper()
	xmllint, err := exec.LookPath("xmllint")
	if err != nil {
		t.Skip("SKIPPED: xmllint is not installed, so no schema judges the JUnit reports; checkJUnit does")
	}
	file := filepath.Join(t.TempDir(), "report.xml")
	if err := os.WriteFile(file, []byte(report), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, schema := range []string{"junit-jenkins.xsd", "junit-windyroad.xsd"} {
		if out, err := exec.CommandContext(t.Context(), xmllint, "--noout", "--nonet", "--schema", filepath.Join("testdata", "schemas", schema), file).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", schema, err, out)
		}
	}
}

// loudFindings says much that takes five bytes for each of its own in XML, each in a case
// of its own.
func loudFindings(n int) []org.Finding {
	var list []org.Finding
	loud := strings.Repeat(`"`, 3000)
	for i := range n {
		list = append(list, org.Finding{Rule: fmt.Sprintf("R%d", i), Severity: "high", Status: org.Open, Title: "t", Subject: fmt.Sprint("user", i), Message: loud})
	}
	return list
}

// TestJUnitLimits holds that a report stays readable: few cases, small texts, the worst
// kept, and a word about what is left out.
func TestJUnitLimits(t *testing.T) {
	t.Parallel()
	list := loudFindings(maxCases + 5)
	list[len(list)-1].Severity = "critical"
	r := policyReport([]org.Rule{rule("QUIET", "plan", "low", "quiet")}, []org.Judged{{Kind: "plan", Subject: "plan", Rules: 1}}, list...)
	out := writeFindings(t, JUnit, r, acme) // checkJUnit would take seconds
	if len(out) > 30_000_000 {
		t.Errorf("%d bytes, GitLab takes 30 MB", len(out))
	}
	report := parseJUnit(t, out)
	if len(report.Suites) != 2 || report.Suites[0].Err != "1 case left out; all findings are in the JSON output" || report.Suites[1].Err != "5 cases left out; all findings are in the JSON output" {
		t.Fatalf("%d suites", len(report.Suites))
	}
	if !slices.ContainsFunc(report.Suites[1].Cases, func(c junitCase) bool { return c.Failure.Type == "critical" }) {
		t.Error("the worst is left out")
	}
	many := make([]org.Judged, 40_000)
	for i := range many {
		many[i] = org.Judged{Kind: "plan", Subject: fmt.Sprint("plan", i), Rules: 1}
	}
	report = parseJUnit(t, writeFindings(t, JUnit, policyReport(r.Rules, many), acme))
	if s := report.Suites[0]; s.Tests != maxCases || s.Err != "30,000 cases left out; all findings are in the JSON output" || !strings.HasSuffix(s.Out, " and 39,996 more") {
		t.Errorf("%d tests, %q, %q", s.Tests, s.Err, s.Out)
	}
}

// TestJUnitVerdicts holds what becomes of the findings of one rule on one document.
func TestJUnitVerdicts(t *testing.T) {
	t.Parallel()
	a, b := rule("A", "readiness", "high", "a"), rule("B", "readiness", "low", "b")
	engine := rule("SYS001", "", "high", "broken")
	docs := func(rules ...int) []org.Judged {
		var out []org.Judged
		for i, n := range rules {
			out = append(out, org.Judged{Kind: "readiness", Subject: fmt.Sprint("repo", i), Rules: n})
		}
		return out
	}
	for name, c := range map[string]struct {
		judged   []org.Judged
		findings []org.Finding
		want     []string
	}{
		"silence is a pass":       {docs(2), nil, []string{"A a: pass", "B b: pass", "SYS001 broken: pass"}},
		"of several documents":    {docs(2, 2), []org.Finding{found(a, org.Open, "repo1", "", "m")}, []string{"A a: repo0: pass", "A a: repo1: failure high m", "B b: repo0: pass", "B b: repo1: pass", "SYS001 broken: pass"}},
		"about somebody":          {docs(2), []org.Finding{found(a, org.Open, "ada", "", "m"), found(a, org.Open, "bob", "", "n")}, []string{"A a: failure high m (and 1 more)", "B b: pass", "SYS001 broken: pass"}},
		"about nobody knows whom": {docs(2, 2), []org.Finding{found(a, org.Open, "ada", "", "m")}, []string{"A a: failure high m", "B b: repo0: pass", "B b: repo1: pass", "SYS001 broken: pass"}},
		"accepted":                {docs(2), []org.Finding{found(b, org.Waived, "repo0", "", "m")}, []string{"A a: pass", "B b: skipped accepted", "SYS001 broken: pass"}},
		"undecided":               {docs(2), []org.Finding{found(b, org.Indeterminate, "repo0", "", "m")}, []string{"A a: pass", "B b: skipped m", "SYS001 broken: pass"}},
		"open beats accepted":     {docs(2), []org.Finding{found(b, org.Waived, "repo0", "", "m"), found(b, org.Open, "repo0", "", "n")}, []string{"A a: pass", "B b: failure low n", "SYS001 broken: pass"}},
		"errored": {docs(2, 2), []org.Finding{found(engine, org.Errored, "repo0", "", "A: no")}, []string{
			"A a: repo0: skipped not known", "A a: repo1: pass", "B b: repo0: skipped not known", "B b: repo1: pass", "SYS001 broken: repo0: error errored A: no",
		}},
		"stopped":   {docs(2, 1), nil, []string{"A a: repo0: pass", "A a: repo1: skipped not known", "B b: repo0: pass", "B b: repo1: skipped not known", "SYS001 broken: pass"}},
		"no longer": {nil, []org.Finding{{Rule: "OLD", Title: "old", Status: org.Open, Subject: "plan", Message: "m"}}, []string{"OLD old: plan: failure open m", "SYS001 broken: pass"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out := writeFindings(t, JUnit, policyReport([]org.Rule{a, b, engine}, c.judged, c.findings...), acme)
			checkJUnit(t, out)
			var got []string
			for _, s := range parseJUnit(t, out).Suites {
				for _, tc := range s.Cases {
					verdict := "pass"
					switch {
					case tc.Failure != nil:
						verdict = "failure " + tc.Failure.Type + " " + tc.Failure.Message
					case tc.Error != nil:
						verdict = "error " + tc.Error.Type + " " + tc.Error.Message
					case tc.Skipped != nil:
						message, _, _ := strings.Cut(tc.Skipped.Message, ": not every")
						verdict = "skipped " + message
					}
					got = append(got, tc.Name+": "+verdict)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s\n%s", diff, out)
			}
		})
	}
}

func TestUnique(t *testing.T) {
	t.Parallel()
	next, got := map[string]int{}, []string{}
	for _, s := range []string{"a", "a", "a (3)", "a", "a", "a (2)", "b"} {
		got = append(got, unique(next, s))
	}
	if want := []string{"a", "a (2)", "a (3)", "a (4)", "a (5)", "a (2) (2)", "b"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
