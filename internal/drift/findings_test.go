package drift

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/org"
)

func finding(rule, severity, path string) org.Finding {
	return org.Finding{Rule: rule, Severity: severity, Status: org.Open, Subject: "settings@r3", Path: path}
}

func judged(failOn string, findings ...org.Finding) *org.FindingsReport {
	return &org.FindingsReport{
		FailOn: failOn, Findings: findings, Judged: []org.Judged{{Kind: "settings", Subject: "settings@r3"}},
		Summary: org.CountFindings(findings, failOn), Rules: []org.Rule{{ID: "B"}, {ID: "A"}, {ID: "C"}},
	}
}

// TestPolicyAxis: what rules say changes nothing about drift and coverage.
func TestPolicyAxis(t *testing.T) {
	t.Parallel()
	in := input(story(t, `{"x":1}`), 1)
	for name, c := range map[string]struct {
		policy  *org.FindingsReport
		verdict string
		unsure  bool
	}{
		"not asked":        {nil, PolicyOff, false},
		"no settings":      {&org.FindingsReport{FailOn: "high"}, Unknown, true},
		"nothing found":    {judged("high"), Pass, false},
		"below":            {judged("high", finding("A", "medium", "/x")), Pass, false},
		"denied":           {judged("high", finding("A", "high", "/x")), Deny, false},
		"lowered":          {judged("low", finding("A", "medium", "/x")), Deny, false},
		"not judged":       {judged("high", org.Finding{Rule: "A", Severity: "high", Status: org.Indeterminate}), Pass, true},
		"something unread": {func() *org.FindingsReport { r := judged("high"); r.Gaps = []org.Gap{{Fact: "members"}}; return r }(), Pass, true},
	} {
		in.Policy = c.policy
		r := Make(in)
		if r.Policy.Verdict != c.verdict || r.Policy.Unsure() != c.unsure || r.Verdict != InSync || !r.Coverage.Complete {
			t.Errorf("%s: %+v, %s, %+v", name, r.Policy, r.Verdict, r.Coverage)
		}
	}
}

// TestFindingsHaveBlame: the fold of the history says who made what a finding is about
// what it is, also of what did not change since.
func TestFindingsHaveBlame(t *testing.T) {
	t.Parallel()
	in := input(story(t, `{"a":{"b":1,"c":[1]},"old":1}`, `{"a":{"b":2,"c":[1]},"old":1}`, `{"a":{"b":2,"c":[2]},"old":1}`), 1)
	in.Policy = judged("high", finding("B", "low", "/a/b"), finding("A", "low", "/a/c/0"), finding("A", "low", "/old"), finding("A", "low", ""))
	r := Make(in)
	var got []string
	for _, f := range r.Findings {
		s := f.Path + " not known"
		if b := f.Blame; b != nil {
			s = f.Path + " " + b.Actor.ID
			if b.AtOrBefore {
				s += " or before"
			}
		}
		got = append(got, s)
	}
	if diff := cmp.Diff([]string{"/a/b u_2", "/a/c/0 u_3", "/old u_1 or before", " not known"}, got); diff != "" {
		t.Errorf("blame (-want +got):\n%s", diff)
	}
	if len(r.Rules) != 2 || r.Rules[0].ID != "A" {
		t.Errorf("rules %v", r.Rules)
	}
}

func TestDenying(t *testing.T) {
	t.Parallel()
	in := input(story(t, `{}`, `{"a":{"b":1},"c":1,"d":1}`), 1)
	in.Policy = judged("high", finding("A", "high", "/a/b"), finding("B", "low", "/c"), finding("C", "critical", "/elsewhere"), finding("C", "critical", ""))
	r := Make(in)
	if got := r.Denying(r.Open()); len(got) != 1 || got[0].Path != "/a/b" {
		t.Errorf("denied by %+v", got)
	}
	if got := r.Denying(r.Open()[1:]); len(got) != 0 {
		t.Errorf("without /a denied by %+v", got)
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	in := office()
	tokens := Tokens{Input: "5", Output: "7", Days: 2, LastDay: "2026-11-19"}
	in.Usage = &Usage{Window: Window{"2026-11-13", "2026-11-19"}, Models: map[string]Tokens{"good": tokens, "bad": tokens, "worse": tokens, "": tokens}}
	u := Make(in).Unmanaged
	want := []SeenThing{{Name: "bad", Sessions: 2, Tokens: &tokens}, {Name: "worse", Tokens: &tokens}}
	if diff := cmp.Diff(want, u.Models); diff != "" || u.Window.From != "2026-11-13" {
		t.Errorf("%+v, models (-want +got):\n%s", u.Window, diff)
	}
	in.Usage = &Usage{Err: errors.New("status\n403")}
	r := Make(in)
	if m := r.Coverage.Missing; len(m) != 2 || m[1] != (org.Gap{Fact: "usage", Error: "status 403"}) {
		t.Errorf("missing %+v", m)
	}
}

// FuzzDecode reads reports of an earlier run: whatever decodes can be compared with.
func FuzzDecode(f *testing.F) {
	in := office()
	first := Make(in)
	data, err := json.Marshal(first)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	in.Previous = first
	if data, err = json.Marshal(Make(in)); err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Decode(data)
		if err != nil {
			return
		}
		in := office()
		in.Previous, in.MinConsecutive = r, 3
		out := Make(in)
		if err := r.About(out.Target); err != nil && err.Error() == "" {
			t.Error("an error without words")
		}
		for _, x := range out.Comparison.Unexplained() {
			if x == "" || x[0] != '/' {
				t.Errorf("%q is no pointer", x)
			}
		}
		if len(out.Fresh()) > out.Summary.Drifted || out.Summary.Pending > out.Summary.Drifted {
			t.Errorf("%+v, fresh %+v", out.Summary, out.Fresh())
		}
		if _, err := json.Marshal(out); err != nil {
			return // a year that JSON cannot write
		}
	})
}
