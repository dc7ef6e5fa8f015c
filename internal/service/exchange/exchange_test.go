package exchange_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/service/exchange"
	"github.com/govctl/govctl/internal/service/store"
)

func now() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }

const goodReport = `{"reportId":"5EA51DE0-0000-4000-8000-000000000001","createdAt":1795176000000,"repoUrl":"https://git.example.com/a",
	"apps":{".":{"description":"<d>"}},"report":{"lint":{"numerator":1,"denominator":2,"rationale":"r"}}}`

const goodMessage = `{"id":"m","role":"assistant","content":[{"text":"<t>","id":"c"}],"createdAt":1.795176e12,"updatedAt":1795176000001,
	"parentId":"p","userMessageSource":"readiness-remediation","visibility":"user_only","vendorAMessageId":"a","vendorAPhase":null,
	"vendorAEncryptedContent":"e","vendorAReasoningId":"i","vendorAReasoningSummary":"s","vendorBThoughtSignature":"t",
	"chatCompletionReasoningField":"reasoning","chatCompletionReasoningContent":"c","isUserVisible":true,"isError":false}`

func session(fields string) string {
	return `{"sessionId":"s","userEmail":"ada@x.example","status":"running","createdAt":1795176000000,"updatedAt":1795176000000` + fields + `}`
}

// TestReportRoundTrip holds C116-C122 and U28: what was read is what is shown, and what
// was absent stays absent.
func TestReportRoundTrip(t *testing.T) {
	t.Parallel()
	full := strings.TrimSuffix(goodReport, "}") + `,"commitHash":"c","branch":"b","hasLocalChanges":false,"hasNonRemoteCommits":true,
		"modelUsed":{"id":"m","reasoningEffort":"off"},"agentVersion":"1","repoId":"repo_x"}`
	for name, text := range map[string]string{"least": goodReport, "full": full} {
		read, err := exchange.ReadReports([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		shown, err := json.Marshal(exchange.ShowReport(read[0]))
		if err != nil {
			t.Fatal(err)
		}
		var want, got map[string]any
		if json.Unmarshal([]byte(text), &want) != nil || json.Unmarshal(shown, &got) != nil {
			t.Fatal(string(shown))
		}
		delete(want, "repoId") // U25: the API does not show it
		want["reportId"] = strings.ToLower(want["reportId"].(string))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		file, err := json.Marshal(exchange.ExportReports(read))
		if err != nil {
			t.Fatal(err)
		}
		again, err := exchange.ReadReports(file)
		if diff := cmp.Diff(read, again); diff != "" || err != nil {
			t.Errorf("%s: export and import: %s %v", name, diff, err)
		}
	}
}

func TestReportsRefused(t *testing.T) {
	t.Parallel()
	change := func(old, new string) string {
		if !strings.Contains(goodReport, old) {
			t.Fatalf("no %s to change", old)
		}
		return strings.Replace(goodReport, old, new, 1)
	}
	for text, want := range map[string]string{
		change(`"5EA51DE0-0000-4000-8000-000000000001"`, `"r1"`):       "reportId",
		change(`"createdAt":1795176000000,`, ``):                       "createdAt is missing",
		change(`1795176000000`, `1795176000000.5`):                     "createdAt 1795176000000.5",
		change(`1795176000000`, `-1`):                                  "createdAt -1",
		change(`1795176000000`, `1e99`):                                "createdAt 1e99",
		change(`"https://git.example.com/a"`, `""`):                    "repoUrl is missing",
		change(`"apps":{".":{"description":"<d>"}},`, ``):              "apps is missing",
		change(`"report":{"lint"`, `"other":{"lint"`):                  "report is missing",
		change(`"numerator":1`, `"numerator":3`):                       "lint",
		change(`"numerator":1`, `"numerator":-1`):                      "lint",
		change(`"denominator":2`, `"denominator":0`):                   "lint",
		change(`"numerator":1,`, ``):                                   "lint",
		change(`"apps"`, `"modelUsed":{"reasoningEffort":"x"},"apps"`): "reasoningEffort",
		`[5]`: "report 1", `{`: "line 1", "\n\n[}": "line 3", `5`: "entry 1", `[null]`: "report 1",
		goodReport + "\n" + `{"reportId":5}`: "report 2",
	} {
		if _, err := exchange.ReadReports([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	many := `[` + strings.TrimSuffix(strings.Repeat(`{},`, 100), ",") + `]`
	if _, err := exchange.ReadReports([]byte(many)); err == nil || !strings.Contains(err.Error(), "more problems") || strings.Count(err.Error(), "\n") != 20 {
		t.Errorf("every problem: %v", err)
	}
}

func TestForms(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		n    int
	}{
		"one": {goodReport, 1}, "array": {`[` + goodReport + `,` + goodReport + `]`, 2}, "answer": {`{"reports":[` + goodReport + `]}`, 1},
		"empty answer": {`{"reports":[]}`, 0}, "lines": {strings.ReplaceAll(goodReport, "\n", " ") + "\n" + strings.ReplaceAll(goodReport, "\n", " ") + "\n", 2},
		"nothing": {"", 0}, "empty array": {"[]", 0}, "byte order mark": {"\ufeff" + goodReport, 1},
	} {
		if got, err := exchange.ReadReports([]byte(c.text)); len(got) != c.n || err != nil {
			t.Errorf("%s: %d, %v", name, len(got), err)
		}
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"a":12345678901234567890}`:                      `{"a":12345678901234567890}`,
		"# c\n---\nsandbox: {enabled: true}\nb: [1, x]\n": `{"b":[1,"x"],"sandbox":{"enabled":true}}`,
		"x: 9007199254740993":                             `{"x":9007199254740993}`,
		"{}":                                              "{}",
	} {
		if got, err := exchange.ReadSettings([]byte(text)); string(got) != want || err != nil {
			t.Errorf("%q: %s, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "[]", "null", "5", "a: 1\na: 2", "a: 1\n---\nb: 2", "\t", "{", "- a", "n: 1", "a: [{on: 1}]"} {
		if got, err := exchange.ReadSettings([]byte(text)); err == nil {
			t.Errorf("%q: took %s", text, got)
		}
	}
}

func TestParseExpiry(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Time{
		"": {}, "2026-11-20": time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC), "90d": now().AddDate(0, 0, 90), "12h": now().Add(12 * time.Hour),
		"2026-11-20T14:00:00+01:00": now().Add(time.Hour),
	} {
		if got, err := exchange.ParseExpiry(text, now()); !got.Equal(want) || err != nil {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"2026-11-19", "0d", "-1d", "-5h", "soon", "2026-13-01", "99999999d", "90", "d", "2026-11-20T12:00:00Z"} {
		if got, err := exchange.ParseExpiry(text, now()); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestScore(t *testing.T) {
	t.Parallel()
	r := store.Report{Criteria: `{"a":{"numerator":1,"denominator":2},"b":{"numerator":2.5,"denominator":4}}`}
	if got := exchange.Score(r); got != "3.5 of 6 (0.583)" {
		t.Error(got)
	}
	if got := exchange.Score(store.Report{Criteria: `{}`}); got != "" {
		t.Error(got)
	}
}
