package drift

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/org"
)

// TestResolved: a difference that is gone says how, and of a setting who did it.
func TestResolved(t *testing.T) {
	t.Parallel()
	expect := org.Expectation{Pointer: "/x", Value: true}
	before := Make(input(story(t, `{"x":true,"y":1}`, `{"x":false,"y":2}`), 1, expect))
	back := story(t, `{"x":true,"y":1}`, `{"x":false,"y":2}`, `{"x":true,"y":1}`)
	of := func(key string) string {
		for _, d := range before.All() {
			if d.Key == key {
				return d.Fingerprint
			}
		}
		t.Fatalf("nothing differs at %s", key)
		return ""
	}
	for name, c := range map[string]struct {
		in   func() Input
		want string
		ask  string // who has to be asked for
	}{
		"changed back":                 {func() Input { return input(back, 1, expect) }, "/x changed r3 by u_3, /y changed r3 by u_3", ""},
		"changed back, without a fold": {func() Input { return input(back, 0, expect) }, "/x changed by ?, /y changed by ?", "/x /y"},
		"and somebody was asked": {func() Input {
			in := input(back, 0, expect)
			in.Closed = map[string]org.Blame{"/x": {Revision: 9, Actor: org.Actor{ID: "eve"}}}
			return in
		}, "/x changed r9 by eve, /y changed by ?", "/y"},
		"accepted": {func() Input {
			in := input(back[:2], 1, expect)
			in.Baseline.Accept(Acceptance{Fingerprint: of("/y"), Reason: "r"})
			return in
		}, "/y accepted by ?", ""},
		"ignored": {func() Input {
			in := input(back[:2], 1, expect)
			in.Ignores = rules{rule("setting /y")}
			return in
		}, "/y ignored by ?", ""},
		"no longer declared": {func() Input { return input(back[:2], 0) }, "/x undeclared by ?, /y changed by ?", "/y"},
		"declared otherwise": {func() Input {
			return input(back[:2], 0, org.Expectation{Pointer: "/x", Value: false})
		}, "/x changed by ?, /y changed by ?", "/x /y"},
	} {
		in := c.in()
		in.Previous, in.Now = before, now.Add(time.Hour)
		r := Make(in)
		var got []string
		for _, ref := range r.Comparison.Resolved {
			by := "by ?"
			if m := ref.Closed; m != nil {
				by = fmt.Sprintf("r%d by %s", m.Revision, m.Actor.ID)
			}
			got = append(got, fmt.Sprintf("%s %s %s", ref.Key, ref.How, by))
		}
		if diff := cmp.Diff(c.want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if asked := strings.Join(r.Comparison.Unexplained(), " "); asked != c.ask {
			t.Errorf("%s: asks for %q, want %q", name, asked, c.ask)
		}
	}
}

// TestUntold: what nobody could be told of is fresh again while it is there, also after a
// time in which nobody could look, and no longer once somebody was told.
func TestUntold(t *testing.T) {
	t.Parallel()
	var previous *Report
	got := []string{}
	for i, run := range []struct {
		settings    string
		told, blind bool
	}{
		{`{"x":2}`, false, false}, {`{"x":2,"y":1}`, false, false}, {`{"x":1}`, true, true}, {`{"x":2,"y":1}`, true, false},
		{`{"x":2,"y":1}`, true, false}, {`{"x":2,"y":2}`, false, false}, {`{"x":2,"y":1}`, true, false},
		{`{"x":2,"y":2}`, true, false}, {`{"x":2,"y":2}`, true, false},
	} {
		in := input([]org.Revision{revision(t, 1, `{"x":1}`), revision(t, 2, run.settings)}, 1)
		if run.blind {
			in.Plan.Incomplete = []org.Gap{{Fact: factSettings}}
		}
		in.Previous, in.Now = previous, now.Add(time.Duration(i)*time.Hour)
		r := Make(in)
		keys := []string{}
		for _, ref := range r.Fresh() {
			keys = append(keys, ref.Key)
			if !run.told {
				r.Untold = append(r.Untold, ref.Fingerprint)
			}
		}
		got = append(got, strings.Join(keys, " "))
		previous = r
	}
	if diff := cmp.Diff([]string{"/x", "/x /y", "", "/x /y", "", "/y", "/y", "/y", ""}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestPending: a difference alerts in the run that sees it for the third time in a row,
// and is fresh only then.
func TestPending(t *testing.T) {
	t.Parallel()
	var previous *Report
	got := []string{}
	for i, settings := range []string{`{"x":2}`, `{"x":2}`, `{"x":2}`, `{"x":2}`, `{"x":3}`, `{"x":1}`, `{"x":3}`} {
		in := input([]org.Revision{revision(t, 1, `{"x":1}`), revision(t, 2, settings)}, 1)
		in.Previous, in.MinConsecutive, in.Now = previous, 3, now.Add(time.Duration(i)*time.Hour)
		r := Make(in)
		got = append(got, fmt.Sprintf("%s alerts %t pending %d fresh %d", r.Verdict, r.Alerts(), r.Summary.Pending, len(r.Fresh())))
		previous = r
	}
	if diff := cmp.Diff([]string{
		"drifted alerts false pending 1 fresh 0", "drifted alerts false pending 1 fresh 0", "drifted alerts true pending 0 fresh 1", "drifted alerts true pending 0 fresh 0",
		"drifted alerts false pending 1 fresh 0", "in_sync alerts false pending 0 fresh 0", "drifted alerts false pending 1 fresh 0",
	}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	r := Make(input(story(t, `{"x":1}`, `{"x":2,"y":1}`, `{"x":2}`), 1))
	if fresh := r.Fresh(); len(fresh) != 1 || fresh[0].Key != "/x" || !r.Alerts() {
		t.Errorf("without a previous report %+v are fresh", fresh)
	}
}

func TestAbout(t *testing.T) {
	t.Parallel()
	r := &Report{Target: org.Target{BaseURL: "https://a", Organization: "org_1"}}
	for name, c := range map[string]struct {
		r    *Report
		t    org.Target
		want bool
	}{
		"none":                 {nil, org.Target{}, true},
		"the same":             {r, r.Target, true},
		"not verified":         {r, org.Target{BaseURL: "https://a"}, true},
		"another organization": {r, org.Target{BaseURL: "https://a", Organization: "org_2"}, false},
		"another service":      {r, org.Target{BaseURL: "https://b", Organization: "org_1"}, false},
	} {
		if err := c.r.About(c.t); (err == nil) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
