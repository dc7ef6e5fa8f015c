package drift

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/org"
)

// rules are ignore rules whose pattern is what they match: KIND KEY POINTER.
type rules []org.IgnoreRule

func (r rules) Rules() []org.IgnoreRule { return r }

func (r rules) Matches(i int, kind, key, pointer string) bool {
	pattern := r[i].Pattern
	return pattern == kind+" "+key || pattern == kind+" "+key+" "+pointer || pattern == kind
}

func rule(pattern string, expires ...string) org.IgnoreRule {
	pattern, negates := strings.CutPrefix(pattern, "!")
	return org.IgnoreRule{
		Pattern: pattern, Negates: negates, Reason: "noise", Expires: strings.Join(expires, ""),
		Source: org.Source{File: "d.hcl", Line: 1, Column: 1},
	}
}

func TestIgnore(t *testing.T) {
	t.Parallel()
	history := story(t, `{"a":1,"b":1,"c":1}`, `{"a":1,"b":2,"c":9}`, `{"a":2,"b":2,"c":1}`)
	for name, c := range map[string]struct {
		rules   rules
		verdict string
		ignored string // paths
		states  string
		found   string // messages
	}{
		"none":                {nil, Drifted, "", "", ""},
		"one":                 {rules{rule("setting /a")}, Drifted, "/a", "in_force 1", ""},
		"all":                 {rules{rule("setting")}, InSync, "/a /b /c", "in_force 3", ""},
		"what came and went":  {rules{rule("setting /c")}, Drifted, "/c", "in_force 1", ""},
		"the last decides":    {rules{rule("setting"), rule("!setting /a")}, Drifted, "/b /c", "in_force 2, negation 0", ""},
		"negated too early":   {rules{rule("!setting /a"), rule("setting")}, InSync, "/a /b /c", "negation 0, in_force 3", ""},
		"until today":         {rules{rule("setting /a", "2026-11-20")}, Drifted, "/a", "in_force 1", ""},
		"expired":             {rules{rule("setting /a", "2026-11-19")}, Drifted, "", "expired 0", "setting /a is no longer ignored: the rule expired on 2026-11-19"},
		"expired, another":    {rules{rule("setting /a"), rule("setting /a", "2026-11-19")}, Drifted, "/a", "in_force 1, expired 0", "setting /a is no longer ignored: the rule expired on 2026-11-19"},
		"nothing":             {rules{rule("setting /x")}, Drifted, "", "unused 0", "setting /x matches nothing that differs"},
		"a negation of none":  {rules{rule("!setting /x")}, Drifted, "", "unused 0", "setting /x matches nothing that differs"},
		"an earlier one, too": {rules{rule("setting /a"), rule("setting")}, InSync, "/a /b /c", "in_force 0, in_force 3", ""},
	} {
		in := input(history, 1)
		if c.rules != nil {
			in.Ignores = c.rules
		}
		r := Make(in)
		var ignored, states, found []string
		for _, x := range r.Settings.Changes {
			if x.Ignored != nil {
				ignored = append(ignored, x.Path)
				if x.Ignored.Reason != "noise" || x.Ignored.Source == nil {
					t.Errorf("%s: %+v", name, x.Ignored)
				}
			}
		}
		for _, x := range r.Ignores {
			states = append(states, fmt.Sprint(x.State, " ", x.Count))
		}
		for _, f := range r.Findings {
			found = append(found, f.Message)
		}
		got := []string{r.Verdict, strings.Join(ignored, " "), strings.Join(states, ", "), strings.Join(found, ", ")}
		if diff := cmp.Diff([]string{c.verdict, c.ignored, c.states, c.found}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if len(ignored) != r.Summary.Ignored || len(r.Open())+len(ignored) != 3 || (len(found) > 0) != (len(r.Rules) > 0) {
			t.Errorf("%s: %+v, %d open, rules %v", name, r.Summary, len(r.Open()), r.Rules)
		}
	}
}

// TestIgnoreParts leaves fields of a computer out. What is left has a fingerprint of its
// own, which does not go by what was left out.
func TestIgnoreParts(t *testing.T) {
	t.Parallel()
	make := func(user, host string, list ...org.IgnoreRule) Computer {
		in := office()
		in.Want.Computers = in.Want.Computers[3:4] // other
		in.Want.Computers[0].HostID = "h1"
		in.Want.Computers[0].AllowHostChange = true
		in.Have.ByName["other"].RemoteUser, in.Have.ByName["other"].HostID = user, host
		in.Ignores = rules(list)
		return Make(in.planned()).Computers[0]
	}
	whole := make("root", "h2")
	if len(whole.Fields) != 2 || whole.Ignored != nil || whole.IgnoredFields != nil {
		t.Fatalf("%+v", whole)
	}
	part := make("root", "h2", rule("computer other /host_id"))
	if len(part.Fields) != 1 || len(part.IgnoredFields) != 1 || part.IgnoredFields[0].Name != "host_id" || part.Ignored != nil || part.Fingerprint == whole.Fingerprint {
		t.Errorf("a part: %+v", part)
	}
	if same := make("root", "h3", rule("computer other /host_id")); same.Fingerprint != part.Fingerprint {
		t.Error("the fingerprint goes by what is left out")
	}
	if all := make("ci", "h2", rule("computer other /host_id")); all.Ignored == nil || all.Verdict != Drifted || len(all.Fields) != 0 {
		t.Errorf("all there is: %+v", all)
	}
	if object := make("root", "h2", rule("computer other")); object.Ignored == nil || len(object.IgnoredFields) != 2 {
		t.Errorf("the computer: %+v", object)
	}
	if back := make("root", "h2", rule("computer other"), rule("!computer other /host_id")); back.Ignored != nil || len(back.Fields) != 1 || back.Fields[0].Name != "host_id" {
		t.Errorf("a negated part: %+v", back)
	}
}

func TestIgnoreUnmanaged(t *testing.T) {
	t.Parallel()
	in := office()
	in.Ignores = rules{rule("member new@x"), rule("computer c9"), rule("model bad"), rule("computer none")}
	r := Make(in)
	if r.Unmanaged.Members[3].Ignored == nil || r.Unmanaged.Members[0].Ignored != nil || r.Unmanaged.Computers[0].Ignored == nil || r.Unmanaged.Models[0].Ignored == nil {
		t.Errorf("%+v", r.Unmanaged)
	}
	if diff := cmp.Diff(Summary{Checked: 4, Drifted: 2, Ignored: 1}, r.Summary); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
}
