package render

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
	"github.com/govctl/govctl/internal/policy"
)

// TestFindingsGoldens shows reports of findings as people read them.
func TestFindingsGoldens(t *testing.T) {
	t.Parallel()
	for name, r := range policyReports() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := writeFindings(t, Text, r, Options{})
			harmless(t, text)
			golden(t, name+".txt", text)
			markdown := writeFindings(t, Markdown, r, Options{})
			if len(markdown) > MarkdownBudget {
				t.Errorf("%d bytes of Markdown", len(markdown))
			}
			golden(t, name+".md", markdown)
		})
	}
}

// harmless fails on what would steer a terminal or a CI log.
func harmless(t rapid.TB, out string) {
	t.Helper()
	for _, line := range strings.Split(out, "\n") {
		if strings.ContainsFunc(line, hidden) || strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") {
			t.Fatalf("%q", line)
		}
	}
}

// TestFindingsHold holds for any report: text and Markdown name every rule that denies,
// and say so at the end.
func TestFindingsHold(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := drawFindings(t)
		r.Summary = org.CountFindings(r.Findings, r.FailOn)
		for _, format := range []string{Text, Markdown} {
			out := writeFindings(t, format, r, Options{})
			if format == Text {
				harmless(t, out)
			}
			if strings.Contains(out, "DENIED: ") != (r.Summary.Denied > 0) {
				t.Fatalf("%d denied:\n%s", r.Summary.Denied, out)
			}
		}
	})
}

// TestPolicyGoldens shows what the other policy commands print.
func TestPolicyGoldens(t *testing.T) {
	t.Parallel()
	r := rule("SBX001", "settings", "critical", "The sandbox is on")
	off := rule("DAT002", "settings", "medium", "Nothing is copied\x1b[31m")
	off.Enabled = false
	mark := func(n int64, when string) policy.Mark {
		return policy.Mark{Revision: n, Actor: org.Actor{Email: "linus@example.com"}, UpdatedAt: when}
	}
	fixed := mark(9, "2026-03-01T00:00:00Z")
	bad := policy.Interval{Status: org.Open, From: mark(4, "2026-02-01T00:00:00Z"), To: &fixed, Revisions: 5, Paths: []string{"/sandbox/enabled"}, Message: "the sandbox is off", Seconds: 28 * 24 * 3600}
	replay := &policy.Replay{
		Rule: r, Revisions: 12, FirstBad: &bad, Exposed: bad.Seconds, Unseen: []policy.Unseen{{From: 6, To: 7}},
		Intervals: []policy.Interval{{Status: policy.StatusClean, From: mark(1, "2026-01-01T00:00:00Z"), To: &bad.From, Revisions: 3}, bad, {Status: policy.StatusClean, From: fixed, Revisions: 4, Seconds: 90}},
	}
	tests := &policy.TestReport{
		Passed: 1, Failed: 1, Errored: 1, Skipped: 1,
		Tests: []policy.TestResult{
			{Package: "a_test", Name: "test_ok", Outcome: policy.TestPass},
			{Package: "a_test", Name: "test_bad", Outcome: policy.TestFail, Cases: []string{"case one"}, Output: "said\nmuch\n", Source: at("a_test.rego", 3)},
			{Package: "a_test", Name: "test_odd", Outcome: policy.TestError, Message: "eval_conflict_error", Source: at("a_test.rego", 9)},
			{Package: "a_test", Name: "todo_test_later", Outcome: policy.TestSkip},
		},
		Coverage: policy.Coverage{Percent: 62.5, Files: []policy.FileCoverage{{File: "a.rego", Percent: 62.5, NotCovered: []policy.LineRange{{From: 3, To: 5}, {From: 9, To: 9}}}, {File: "b.rego", Percent: 100}}},
	}
	explained := &policy.Explanation{
		Rule: r, Subject: "settings@r42", Outcome: policy.OutcomeFired, Findings: []org.Finding{found(r, org.Open, "settings@r42", "/sandbox/enabled", "the sandbox is off")},
		Bodies: []policy.ExplainedBody{{Name: "findings", Source: at("sbx001.rego", 30), True: true, Lines: []policy.ExplainedLine{
			{Line: 31, Text: "enabled := input.settings.sandbox.enabled", Tried: 1, Values: []policy.ExplainValue{{Name: "enabled", Value: "false"}}},
			{Line: 32, Text: "some x in list", Tried: 3, Failed: 1}, {Line: 33, Text: "x == 1", Tried: 2, Failed: 2}, {Line: 34, Text: "y", Values: []policy.ExplainValue{{Name: "y", Value: "hidden"}}},
		}}, {Name: "default_thing", Source: at("sbx001.rego", 40)}},
	}
	for name, write := range map[string]func(w io.Writer, format string) error{
		"policy_rules":      func(w io.Writer, f string) error { return Rules(w, f, []org.Rule{r, off}, Options{}) },
		"policy_rules_none": func(w io.Writer, f string) error { return Rules(w, f, []org.Rule{}, Options{}) },
		"policy_history":    func(w io.Writer, f string) error { return Replay(w, f, replay, Options{}) },
		"policy_history_ok": func(w io.Writer, f string) error {
			return Replay(w, f, &policy.Replay{Rule: r, Revisions: 3}, Options{})
		},
		"policy_tests": func(w io.Writer, f string) error { return Tests(w, f, tests, Options{}) },
		"policy_explanation": func(w io.Writer, f string) error {
			return Explanations(w, f, r, []*policy.Explanation{explained}, Options{})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var text, data bytes.Buffer
			if err := write(&text, Text); err != nil {
				t.Fatal(err)
			}
			harmless(t, text.String())
			golden(t, name+".txt", text.String())
			if err := write(&data, JSON); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(data.String(), `"format_version": "1.0"`) || strings.Contains(data.String(), "null,\n") && name == "policy_tests" {
				t.Errorf("%s", data.String())
			}
		})
	}
}

// TestPlanUnjudged holds that rules which could not be judged make one line of a plan.
func TestPlanUnjudged(t *testing.T) {
	t.Parallel()
	p := &plan.Plan{}
	p.AddFindings([]org.Finding{
		{Rule: "PLN005", Status: org.Indeterminate, Message: "no usage"}, {Rule: "PLN011", Status: org.Indeterminate, Message: "no settings"},
		{Rule: "PLN005", Status: org.Indeterminate, Message: "no limits"}, {Rule: "PLN001", Status: org.Open, Severity: "high", Subject: "ada", Message: "too high"},
	})
	for _, format := range []string{Text, Markdown} {
		var out bytes.Buffer
		if err := Plan(&out, format, p, Options{}); err != nil {
			t.Fatal(err)
		}
		if s := out.String(); strings.Count(s, "PLN005") != 1 || !strings.Contains(s, "2 rules could not be judged for want of facts: PLN005, PLN011") || !strings.Contains(s, "too high") {
			t.Errorf("%s:\n%s", format, s)
		}
	}
}
