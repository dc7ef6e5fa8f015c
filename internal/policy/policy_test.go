package policy_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/policy"
)

func now() time.Time { return time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC) }

// options are those of the library of testdata.
func options() policy.Options {
	return policy.Options{Library: os.DirFS("testdata/library"), Now: now()}
}

func load(t testing.TB, o policy.Options) *policy.Engine {
	t.Helper()
	e, err := policy.Load(o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// parse decodes a JSON text of a test.
func parse(t testing.TB, text string) any {
	t.Helper()
	v, err := org.DecodeJSON([]byte(text))
	if err != nil {
		t.Fatalf("DecodeJSON(%s): %v", text, err)
	}
	return v
}

// settings is a settings document.
func settings(t testing.TB, text string) policy.Document {
	t.Helper()
	return policy.Document{Kind: policy.Settings, Subject: "settings@r7", Base: "/settings", Body: map[string]any{"settings": parse(t, text)}}
}

// own makes a source of somebody's own rules.
func own(files map[string]string) policy.Source {
	m := fstest.MapFS{}
	for name, text := range files {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return policy.Source{Name: "own", FS: m}
}

// check judges documents and returns the findings as short lines.
func check(t testing.TB, e *policy.Engine, documents ...policy.Document) []string {
	t.Helper()
	r, err := e.Check(t.Context(), documents...)
	if err != nil {
		t.Fatal(err)
	}
	return lines(r.Findings)
}

func lines(findings []org.Finding) []string {
	out := []string{}
	for _, f := range findings {
		out = append(out, strings.Join([]string{f.Rule, f.Severity, f.Status, f.Subject, f.Path, f.Message}, " | "))
	}
	return out
}

func TestCheck(t *testing.T) {
	t.Parallel()
	e := load(t, options())
	for name, c := range map[string]struct {
		settings string
		want     []string
	}{
		"clean": {`{"sandbox":{"enabled":true,"network":{"allowedDomains":["a.example"]}}}`, []string{}},
		"dirty": {`{"sandbox":{"enabled":false,"network":{"allowedDomains":["a.example","*"]}}}`, []string{
			"SBX001 | critical | open | settings@r7 | /sandbox/enabled | the sandbox is off",
			"SBX002 | high | open | settings@r7 | /sandbox/network/allowedDomains/1 | * is allowed",
		}},
		"undefined is not clean": {`{"sandbox":{}}`, []string{
			"SBX001 | critical | indeterminate | settings@r7 | /sandbox/enabled | cannot be judged: the document has no /sandbox/enabled",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, check(t, e, settings(t, c.settings))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRules(t *testing.T) {
	t.Parallel()
	o := options()
	o.Severity = map[string]string{"SBX002": "info", "RET001": "medium"}
	o.Disable = []string{"HIS001"}
	var got []string
	for _, r := range load(t, o).Rules() {
		got = append(got, strings.Join([]string{r.ID, r.Kind, r.Severity, map[bool]string{true: "on", false: "off"}[r.Enabled], r.Title, r.Source.String()}, " | "))
	}
	want := []string{
		"HIS001 | history | high | off | The sandbox was not turned off | govctl/history/his001/his001.rego:10:1",
		"PLN001 | plan | high | on | No limit is too high | govctl/plan/pln001/pln001.rego:11:1",
		"RET001 | settings | medium | on | Sessions are kept long enough | govctl/settings/ret001/ret001.rego:13:1",
		"SBX001 | settings | critical | on | The sandbox is on | govctl/settings/sbx001/sbx001.rego:16:1",
		"SBX002 | settings | info | on | No domain is open to everything | govctl/settings/sbx002/sbx002.rego:16:1",
		"SYS001 |  | high | on | A policy could not be evaluated | ",
		"WVR001 |  | high | on | A waiver is no longer in force | ",
		"WVR002 |  | low | on | A waiver matches nothing | ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestExplain(t *testing.T) {
	t.Parallel()
	e := load(t, options())
	for name, c := range map[string]struct {
		rule, settings, outcome string
		want                    []string
	}{
		"fired": {"SBX002", `{"sandbox":{"network":{"allowedDomains":["a.example","*"]}}}`, policy.OutcomeFired, []string{
			`17 some i, domain in input.settings.sandbox.network.allowedDomains tried 1 failed 0 input.settings.sandbox.network.allowedDomains=["a.example", "*"]`,
			`18 domain in data.params.forbidden_domains tried 2 failed 1 domain="*"`,
			`19 path := sprintf("/settings/sandbox/network/allowedDomains/%d", [i]) tried 1 failed 0 i=1`,
			`20 message := sprintf("%s is allowed", [text.shout(domain)]) tried 1 failed 0 domain="*"`,
		}},
		"not": {"SBX001", `{"sandbox":{"enabled":true}}`, policy.OutcomeClean, []string{
			`17 not input.settings.sandbox.enabled tried 1 failed 1 input.settings.sandbox.enabled=true`,
		}},
		"nothing there": {"SBX002", `{}`, policy.OutcomeClean, []string{
			`17 some i, domain in input.settings.sandbox.network.allowedDomains tried 1 failed 1 input.settings.sandbox.network.allowedDomains=undefined`,
			`18 domain in data.params.forbidden_domains tried 0 failed 0`,
			`19 path := sprintf("/settings/sandbox/network/allowedDomains/%d", [i]) tried 0 failed 0`,
			`20 message := sprintf("%s is allowed", [text.shout(domain)]) tried 0 failed 0`,
		}},
		"indeterminate": {"SBX001", `{}`, policy.OutcomeIndeterminate, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x, err := e.Explain(t.Context(), c.rule, settings(t, c.settings))
			if err != nil {
				t.Fatal(err)
			}
			got := []string{}
			for _, b := range x.Bodies {
				for _, l := range b.Lines {
					line := fmt.Sprintf("%d %s tried %d failed %d", l.Line, l.Text, l.Tried, l.Failed)
					for _, v := range l.Values {
						line += fmt.Sprintf(" %s=%s", v.Name, v.Value)
					}
					got = append(got, line)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" || x.Outcome != c.outcome {
				t.Errorf("%s, want %s\n%s", x.Outcome, c.outcome, diff)
			}
		})
	}
	if _, err := e.Explain(t.Context(), "NO001", settings(t, `{}`)); err == nil {
		t.Error("an unknown rule was explained")
	}
}

func TestWaivers(t *testing.T) {
	t.Parallel()
	waiver := func(rule, target, expires string) org.Waiver {
		return org.Waiver{Rule: rule, Target: target, Reason: "because", Owner: "ada@acme.example", Expires: expires}
	}
	unowned := waiver("SBX001", "", "2026-12-01")
	unowned.Owner = ""
	for name, c := range map[string]struct {
		waivers []org.Waiver
		want    []string // status of SBX001, of the two SBX002, then the findings of the engine
	}{
		"none":            {nil, []string{"open", "open", "open"}},
		"whole rule":      {[]org.Waiver{waiver("SBX002", "", "2026-11-20")}, []string{"open", "waived", "waived"}},
		"one path":        {[]org.Waiver{waiver("SBX002", "/sandbox/network/allowedDomains/1", "2026-11-20")}, []string{"open", "open", "waived"}},
		"what is below":   {[]org.Waiver{waiver("SBX002", "/sandbox/network", "2026-11-20")}, []string{"open", "waived", "waived"}},
		"not beside":      {[]org.Waiver{waiver("SBX002", "/sandbox/net", "2026-11-20")}, []string{"open", "open", "open", "WVR002 no finding of SBX002 needs this waiver"}},
		"glob":            {[]org.Waiver{waiver("SBX001", "*/enabled", "2026-11-20")}, []string{"waived", "open", "open"}},
		"subject":         {[]org.Waiver{waiver("SBX001", "settings@r*", "2026-11-20")}, []string{"waived", "open", "open"}},
		"other subject":   {[]org.Waiver{waiver("SBX001", "settings@r8", "2026-11-20")}, []string{"open", "open", "open", "WVR002 no finding of SBX001 needs this waiver"}},
		"expired":         {[]org.Waiver{waiver("SBX001", "", "2026-11-19")}, []string{"open", "open", "open", "WVR001 the waiver of SBX001 expired on 2026-11-19"}},
		"no date":         {[]org.Waiver{waiver("SBX001", "", "soon")}, []string{"open", "open", "open", "WVR001 the waiver of SBX001 expired on soon"}},
		"too long":        {[]org.Waiver{waiver("SBX001", "", "2027-11-19")}, []string{"waived", "open", "open", "WVR001 the waiver of SBX001 runs until 2027-11-19, longer than 90 days"}},
		"nobody's":        {[]org.Waiver{unowned}, []string{"waived", "open", "open", "WVR001 the waiver of SBX001 has no owner"}},
		"other kind":      {[]org.Waiver{waiver("PLN001", "", "2026-12-01"), waiver("HIS001", "", "2020-01-01")}, []string{"open", "open", "open"}},
		"rule that's off": {[]org.Waiver{waiver("RET001", "", "2026-12-01")}, []string{"open", "open", "open"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options()
			o.Waivers = c.waivers
			r, err := load(t, o).Check(t.Context(), settings(t, `{"sandbox":{"enabled":false,"network":{"allowedDomains":["*","*"]}}}`))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range r.Findings {
				switch {
				case strings.HasPrefix(f.Rule, "WVR"):
					got = append(got, f.Rule+" "+f.Message)
				default:
					got = append(got, f.Status)
					if (f.Status == org.Waived) != (f.Waiver != nil) {
						t.Errorf("%s is %s with waiver %v", f.Rule, f.Status, f.Waiver)
					}
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestRenamed holds when a missing property is said to have been renamed (T27).
func TestRenamed(t *testing.T) {
	t.Parallel()
	e := load(t, options())
	for name, c := range map[string]struct{ before, now, hint string }{
		"similar name":       {`{"sandbox":{"enabled":true}}`, `{"sandbox":{"isEnabled":true}}`, "/sandbox/isEnabled is new"},
		"same telling value": {`{"sandbox":{"enabled":true,"x":[1]}}`, `{"confinement":{"enabled":true,"x":[1]}}`, "/confinement is new"},
		"nothing new":        {`{"sandbox":{"enabled":true,"other":1}}`, `{"sandbox":{"other":1}}`, ""},
		"just a boolean":     {`{"sandbox":{"enabled":true}}`, `{"sandbox":{"whatever":true}}`, ""},
		"never there":        {`{"sandbox":{}}`, `{"sandbox":{"enable":true}}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := settings(t, c.now)
			d.Before = map[string]any{"settings": parse(t, c.before)}
			got := check(t, e, d)
			if len(got) != 1 || !strings.Contains(got[0], "SBX001 | critical | indeterminate") || strings.Contains(got[0], "renamed") != (c.hint != "") || !strings.Contains(got[0], c.hint) {
				t.Errorf("got %q, want the hint %q", got, c.hint)
			}
		})
	}
}

func TestParameters(t *testing.T) {
	t.Parallel()
	o := options()
	o.Parameters = map[string]any{"min_retention_days": json.Number("365")}
	o.Only = []string{"RET001"}
	want := []string{"RET001 | low | open | settings@r7 | /sessionRetentionDays | 90 days"}
	if diff := cmp.Diff(want, check(t, load(t, o), settings(t, `{"sessionRetentionDays":90}`))); diff != "" {
		t.Error(diff)
	}
	o.Parameters = map[string]any{"min_retention_day": json.Number("1"), "max_limit": "many"}
	o.Disable, o.Severity, o.Only = []string{"SBX01"}, map[string]string{"SBX001": "bad"}, nil
	o.Waivers = []org.Waiver{{Rule: "XYZ"}}
	_, err := policy.Load(o)
	var got *policy.LoadError
	if !errors.As(err, &got) {
		t.Fatalf("got %v", err)
	}
	all := strings.Join(got.Problems, "\n")
	for _, w := range []string{
		`disable "SBX01" is no rule: did you mean "SBX001"?`, `severity of SBX001: "bad" is none of critical`,
		`parameter "max_limit" must be a number, not a text`, `parameter "min_retention_day": did you mean "min_retention_days"?`,
		`waiver "XYZ" is no rule`,
	} {
		if !strings.Contains(all, w) {
			t.Errorf("no %q in\n%s", w, all)
		}
	}
}

// TestOwnRules holds that somebody's own rules have parameters and data of their own and
// stand beside the library's.
func TestOwnRules(t *testing.T) {
	t.Parallel()
	o := options()
	o.Kinds = []string{policy.Settings}
	o.Sources = []policy.Source{own(map[string]string{
		"a/rule.rego":      rogue("OWN001", `findings contains {"path": "/settings/n", "message": data.words.high} if input.settings.n > data.params.own_max`),
		"a/data.yaml":      "params: {own_max: 5}\nwords: {high: too high}\n",
		"a/rule_test.rego": "package own_test\n\ntest_it if 1 == 2\n", // not read
		".git/x.rego":      "nonsense",
		"notes.json":       "nonsense",
	})}
	o.Parameters = map[string]any{"own_max": json.Number("7")}
	e := load(t, o)
	want := []string{"OWN001 | low | open | settings@r7 | /n | too high"}
	if diff := cmp.Diff(want, check(t, e, settings(t, `{"n":8,"sandbox":{"enabled":true}}`))); diff != "" {
		t.Error(diff)
	}
	for field, want := range map[string]bool{"settings": true, "members": false} {
		if got := e.Reads(policy.Settings, field); got != want {
			t.Errorf("Reads(settings, %s) = %t", field, got)
		}
	}
	if diff := cmp.Diff([]string{"settings"}, e.EnabledKinds()); diff != "" {
		t.Error(diff)
	}
}

func TestNoRules(t *testing.T) {
	t.Parallel()
	e := load(t, options())
	got := check(t, e, policy.Document{Kind: policy.Hooks, Subject: "hooks", Body: map[string]any{}})
	want := []string{"SYS001 | high | errored | hooks |  | no rule is on for documents of the kind hooks"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestSizes holds that a document larger than the limit is not judged, and not passed.
func TestSizes(t *testing.T) {
	t.Parallel()
	o := options()
	o.Limits.Input = 5
	got := check(t, load(t, o), settings(t, `{"a":[1,2,3,4,5]}`), policy.Document{Kind: policy.Settings, Subject: "x", Body: []any{}})
	want := []string{
		"SYS001 | high | errored | settings@r7 |  | the document has more than 5 values, which is more than rules are given; divide it, or turn the rules for settings off",
		"SYS001 | high | errored | x |  | the document is not a JSON object",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSkeletons(t *testing.T) {
	t.Parallel()
	for _, kind := range policy.Kinds() {
		files, err := policy.Skeleton("own001", kind)
		if err != nil {
			t.Fatal(err)
		}
		texts := map[string]string{}
		for _, f := range files {
			texts[f.Name] = f.Text
		}
		o := options()
		o.Sources = []policy.Source{own(texts)}
		r, err := policy.Test(t.Context(), o, policy.TestOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Passed != 2 || len(r.Tests) != 2 || r.Coverage.Percent != 100 || len(r.Coverage.Files) != 1 {
			t.Errorf("%s: %+v", kind, r)
		}
		if rule, err := load(t, o).Rule("own001"); err != nil || rule.Kind != kind {
			t.Errorf("%s: %+v %v", kind, rule, err)
		}
	}
}

func TestTests(t *testing.T) {
	t.Parallel()
	o := options()
	o.Sources = []policy.Source{own(map[string]string{
		"r.rego": rogue("OWN001", "findings contains {\"path\": \"\", \"message\": \"x\"} if {\n\tinput.settings.n\n\tinput.settings.m\n}\n\nhelper(x) := x"),
		"r_test.rego": `package own_test

import data.own.own001

test_bad if {
	print("said")
	count(own001.findings) == 1 with input as {"settings": {"n": true}}
}

todo_test_later if false

test_good if count(own001.findings) == 0 with input as {}
`,
	})}
	r, err := policy.Test(t.Context(), o, policy.TestOptions{Library: true})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range r.Tests {
		got = append(got, strings.TrimSpace(fmt.Sprintf("%s.%s %s %s %q", x.Package, x.Name, x.Outcome, x.Message, x.Output)))
	}
	want := []string{
		`govctl.settings.sbx001_test.test_off pass  ""`, `govctl.settings.sbx001_test.test_on pass  ""`,
		`own_test.test_bad fail  "said\n"`,
		`own_test.test_good pass  ""`, `own_test.todo_test_later skip  ""`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, f := range r.Coverage.Files {
		if f.File == "own/r.rego" && !cmp.Equal(f.NotCovered, []policy.LineRange{{From: 9, To: 12}, {From: 14, To: 14}}) && f.Percent >= 100 {
			t.Errorf("coverage %+v", f)
		}
	}
}

func TestIntervals(t *testing.T) {
	t.Parallel()
	point := func(n int64, status string) policy.Point {
		p := policy.Point{Mark: policy.Mark{Revision: n, Actor: org.Actor{ID: fmt.Sprintf("u%d", n)}, UpdatedAt: fmt.Sprintf("2026-01-%02dT00:00:00Z", n)}}
		if status != policy.StatusClean {
			p.Findings = []org.Finding{{Status: status, Path: "/x", Message: "m"}}
		}
		return p
	}
	points := []policy.Point{point(9, org.Open), point(8, policy.StatusClean), point(4, org.Open), point(3, org.Open), point(2, policy.StatusClean), point(1, org.Indeterminate)}
	r := policy.Intervals(org.Rule{ID: "R"}, points, false, time.Date(2026, 1, 10, 0, 0, 0, 0, time.UTC))
	var got []string
	for _, v := range r.Intervals {
		to := "now"
		if v.To != nil {
			to = fmt.Sprint(v.To.Revision)
		}
		got = append(got, fmt.Sprintf("%s %d by %s to %s, %d revisions, %d h %v", v.Status, v.From.Revision, v.From.Actor.ID, to, v.Revisions, v.Seconds/3600, v.Paths))
	}
	want := []string{
		"indeterminate 1 by u1 to 2, 1 revisions, 24 h [/x]", "clean 2 by u2 to 3, 1 revisions, 24 h []",
		"open 3 by u3 to 8, 2 revisions, 120 h [/x]", "clean 8 by u8 to 9, 1 revisions, 24 h []", "open 9 by u9 to now, 1 revisions, 24 h [/x]",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if r.FirstBad == nil || r.FirstBad.From.Revision != 3 || r.Exposed != 6*24*3600 || !cmp.Equal(r.Unseen, []policy.Unseen{{From: 5, To: 7}}) {
		t.Errorf("first bad %+v, exposed %d, unseen %v", r.FirstBad, r.Exposed, r.Unseen)
	}
	events := policy.Intervals(org.Rule{ID: "R"}, points, true, now())
	if n := len(events.Intervals); n != 6 || events.Exposed != 0 {
		t.Errorf("%d intervals of events, exposed %d", n, events.Exposed)
	}
	points = []policy.Point{point(1, org.Waived), point(2, org.Waived), point(3, policy.StatusClean)}
	points[1].Findings = append(points[1].Findings, org.Finding{Status: org.Open})
	mixed := policy.Intervals(org.Rule{ID: "R"}, points, false, now())
	if s := []string{mixed.Intervals[0].Status, mixed.Intervals[1].Status}; !cmp.Equal(s, []string{org.Waived, org.Open}) || mixed.Exposed != 24*3600 || mixed.FirstBad.From.Revision != 2 {
		t.Errorf("waived: %v, exposed %d", s, mixed.Exposed)
	}
}
