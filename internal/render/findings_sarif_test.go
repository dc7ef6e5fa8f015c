package render

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/org"
)

var (
	sarifLink     = regexp.MustCompile(`\]\(|\{[0-9]`)
	uriCharacters = regexp.MustCompile(`^([A-Za-z0-9._~!$&'()*+,;=@/-]|%[0-9A-F]{2})+$`)
)

// sarifNull is a member without a value, and not the word in a text.
var sarifNull = regexp.MustCompile(`(?m)(^|[^\\]":) *null,?$`)

// checkSARIF holds what code scanning asks of a file, and that nothing in it is more than
// text. It reads the file without the types that wrote it only as far as those could hide
// a mistake: unknown and missing members.
func checkSARIF(t rapid.TB, out string) {
	t.Helper()
	checkHarmless(t, out)
	var file sarifLog
	d := json.NewDecoder(strings.NewReader(out))
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		t.Fatal(err)
	}
	if file.Schema == "" || file.Version != "2.1.0" || len(file.Runs) != 1 || sarifNull.MatchString(out) {
		t.Fatalf("no SARIF file of one run without nulls: %.300s", out)
	}
	run := file.Runs[0]
	if id := run.Automation.ID; !strings.HasPrefix(id, "govctl/") || !strings.HasSuffix(id, "/") {
		t.Fatalf("automation id %q", id)
	}
	if len(run.Results) > 5000 || len(run.Tool.Driver.Rules) > 25000 || len(run.Invocations) != 1 {
		t.Fatalf("%d results of %d rules", len(run.Results), len(run.Tool.Driver.Rules))
	}
	for _, n := range run.Invocations[0].Notifications {
		checkSARIFText(t, n.Message)
	}
	for i, r := range run.Tool.Driver.Rules {
		checkSARIFRule(t, r)
		if i > 0 && run.Tool.Driver.Rules[i-1].ID >= r.ID {
			t.Fatalf("rule %q after %q", r.ID, run.Tool.Driver.Rules[i-1].ID)
		}
	}
	seen := map[string]bool{}
	for _, r := range run.Results {
		if r.RuleIndex < 0 || r.RuleIndex >= len(run.Tool.Driver.Rules) || run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
			t.Fatalf("rule %d is not %q", r.RuleIndex, r.RuleID)
		}
		if !slices.Contains([]string{"error", "warning", "note"}, r.Level) || len(r.Locations) != 1 || r.Suppressions == nil || seen[r.Fingerprints["govctl/v1"]] {
			t.Fatalf("level, place, suppressions or fingerprint of %+v", r)
		}
		seen[r.Fingerprints["govctl/v1"]] = true
		checkSARIFText(t, r.Message)
		checkSARIFPlace(t, r.Locations[0].Physical)
		for _, s := range r.Suppressions {
			if s.Justification == "" || s.Status != "accepted" || s.Kind != "external" {
				t.Fatalf("%+v", s)
			}
			if s.Location != nil {
				checkSARIFPlace(t, s.Location.Physical)
			}
		}
		if (r.Properties.Status == org.Waived) != (len(r.Suppressions) == 1) {
			t.Fatalf("%d suppressions of a finding that is %s", len(r.Suppressions), r.Properties.Status)
		}
	}
}

func checkSARIFText(t rapid.TB, s sarifText) {
	t.Helper()
	if strings.TrimSpace(s.Text) == "" || sarifLink.MatchString(s.Text) {
		t.Fatalf("a text that is none, or more than that: %q", s.Text)
	}
}

func checkSARIFRule(t rapid.TB, r sarifRule) {
	t.Helper()
	for _, s := range []sarifText{{r.ID}, r.Short, r.Full, r.Help} {
		if strings.TrimSpace(s.Text) == "" || utf8.RuneCountInString(s.Text) > 1024 {
			t.Fatalf("%d characters: %q", utf8.RuneCountInString(s.Text), s.Text)
		}
	}
	if s := r.Properties.Security; s != "" {
		score, err := strconv.ParseFloat(s, 64)
		if err != nil || score < 0.1 || score > 10 {
			t.Fatalf("security-severity %q", s)
		}
	}
	if len(r.Properties.Tags) > 20 || slices.Contains(r.Properties.Tags, "security") != (r.Properties.Security != "") {
		t.Fatalf("tags %q with security-severity %q", r.Properties.Tags, r.Properties.Security)
	}
}

func checkSARIFPlace(t rapid.TB, p sarifPhysical) {
	t.Helper()
	u, err := url.Parse(p.Artifact.URI)
	if err != nil || u.Scheme != "" || u.Host != "" || u.RawQuery != "" || u.Fragment != "" || !uriCharacters.MatchString(p.Artifact.URI) || strings.HasPrefix(u.Path, "/") {
		t.Fatalf("%q does not name a file in the repository: %v", p.Artifact.URI, err)
	}
	for _, s := range strings.Split(u.Path, "/") {
		if s == "." || s == ".." || s == "" {
			t.Fatalf("%q is not plain", p.Artifact.URI)
		}
	}
	g := p.Region
	if g.StartLine < 1 || g.StartColumn < 1 || g.EndLine != g.StartLine || g.EndColumn <= g.StartColumn || g.EndColumn > 1<<31-1 || g.StartLine > 1<<31-1 {
		t.Fatalf("region %+v", g)
	}
}

// TestSARIFLimits holds that the worst 5,000 findings are kept and that the file says so.
func TestSARIFLimits(t *testing.T) {
	t.Parallel()
	var list []org.Finding
	for i := range 6000 {
		severity := "low"
		if i >= 5990 {
			severity = "critical"
		}
		list = append(list, org.Finding{Rule: fmt.Sprintf("R%04d", i%700), Severity: severity, Status: org.Open, Title: "t", Subject: fmt.Sprint("user", i), Path: "/x", Message: strings.Repeat("a long message ", 70)})
	}
	r := policyReport(nil, nil, list...)
	for i := range 200 {
		r.Gaps = append(r.Gaps, org.Gap{Fact: "computer", Key: fmt.Sprint(i), Error: "status 500"})
	}
	out := writeFindings(t, SARIF, r, acme)
	checkSARIF(t, out)
	var file sarifLog
	if err := json.Unmarshal([]byte(out), &file); err != nil {
		t.Fatal(err)
	}
	run := file.Runs[0]
	notes := run.Invocations[0].Notifications
	if len(run.Results) != 5000 || run.Results[9].Level != "error" || run.Results[10].Level != "note" || len(notes) != 102 ||
		notes[0].Message.Text != "5,000 of 6,000 findings are shown, the worst first; all of them are in the JSON output." ||
		notes[101].Message.Text != "100 more could not be read." {
		t.Errorf("%d results, %d notifications, first %q", len(run.Results), len(notes), notes[0].Message.Text)
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(out))
	if err := z.Close(); err != nil || b.Len() > 10<<20 {
		t.Errorf("%d bytes compressed, GitHub takes 10 MB: %v", b.Len(), err)
	}
}

// TestSARIFVersion holds that only a semantic version is called one.
func TestSARIFVersion(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"v1.2.3": "1.2.3", "v0.0.0-20261120090000-0123456789ab+dirty": "0.0.0-20261120090000-0123456789ab+dirty", "(devel)": "", "v": "", "": ""} {
		if got := semanticVersion(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestSARIFRules holds which rules are listed: those that ran, and those of findings.
func TestSARIFRules(t *testing.T) {
	t.Parallel()
	off := org.Rule{ID: "OFF001", Severity: "low", Title: "off"}
	for i := range 40 {
		off.Tags = append(off.Tags, fmt.Sprint("t", i%30))
	}
	quiet := org.Rule{ID: "OFF002", Severity: "low", Title: "off and quiet"}
	r := policyReport([]org.Rule{rule("B", "plan", "info", "b"), off, quiet}, nil,
		found(off, org.Open, "s", "/p", "m"), org.Finding{Rule: "A", Severity: "medium", Status: org.Open, Title: "gone", Message: "m"})
	var file sarifLog
	if err := json.Unmarshal([]byte(writeFindings(t, SARIF, r, acme)), &file); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range file.Runs[0].Tool.Driver.Rules {
		got = append(got, fmt.Sprint(r.ID, " ", r.Short.Text, " ", r.Default.Level, " ", r.Properties.Security, r.Properties.Tags))
	}
	if want := []string{"A gone warning 5.5[security]", "B b note [plan]", "OFF001 off note 2.0[security t0 t1 t2 t3 t4 t5 t6 t7 t8 t9 t10 t11 t12 t13 t14 t15 t16 t17 t18]"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
