package drift

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/org"
)

func TestSettings(t *testing.T) {
	t.Parallel()
	on := org.Expectation{Pointer: "/sandbox/enabled", Value: true}
	for name, c := range map[string]struct {
		history []string
		since   int64
		expect  []org.Expectation
		verdict string
		want    []string
	}{
		"nothing declared, nothing accepted": {history: []string{`{}`}, verdict: Unknown},
		"met":                                {history: []string{`{"sandbox":{"enabled":true}}`}, expect: []org.Expectation{on}, verdict: InSync},
		"unmet":                              {history: []string{`{"sandbox":{"enabled":false}}`}, expect: []org.Expectation{on}, verdict: Drifted, want: []string{"/sandbox/enabled changed -->false r0 expected true"}},
		"unmet and absent":                   {history: []string{`{}`}, expect: []org.Expectation{on}, verdict: Drifted, want: []string{"/sandbox/enabled removed -->- r0 expected true"}},
		"there and forbidden":                {history: []string{`{"x":[]}`}, expect: []org.Expectation{{Pointer: "/x", Absent: true}}, verdict: Drifted, want: []string{"/x added -->[] r0 expected absent"}},
		"declared, changed since":            {history: []string{`{"sandbox":{"enabled":true}}`, `{"sandbox":{"enabled":false}}`}, since: 1, expect: []org.Expectation{on}, verdict: Drifted, want: []string{"/sandbox/enabled changed true->false r0 expected true"}},
		"undeclared":                         {history: []string{`{"a":1}`, `{"a":2}`, `{"a":2,"b":1}`}, since: 1, verdict: Drifted, want: []string{"/a changed 0.1e1->0.2e1 r2", "/b added -->0.1e1 r3"}},
		"accepted up to the newest":          {history: []string{`{"a":1}`, `{"a":2}`}, since: 2, verdict: InSync},
		"came and went":                      {history: []string{`{"a":1}`, `{"a":2}`, `{"a":3}`, `{"a":1}`}, since: 1, verdict: InSync, want: []string{"/a changed 0.3e1->0.1e1 r4 transient since r2 for 2h0m0s"}},
		"declared, came and went":            {history: []string{`{"sandbox":{"enabled":true}}`, `{"sandbox":{"enabled":false}}`, `{"sandbox":{"enabled":true}}`}, since: 1, expect: []org.Expectation{on}, verdict: InSync, want: []string{"/sandbox/enabled changed false->true r3 transient since r2 for 1h0m0s"}},
		"went as one, came in parts":         {history: []string{`{"a":{"x":1}}`, `{}`, `{"a":{}}`, `{"a":{"x":1}}`}, since: 1, verdict: InSync, want: []string{"/a added -->{} r4 transient since r2 for 2h0m0s"}},
		"not visible in between":             {history: []string{`{"a":1}`, "", "", `{"a":2}`}, since: 1, verdict: Drifted, want: []string{"/a changed 0.1e1->0.2e1 r4 at or before"}},
		"accepted one not visible":           {history: []string{`{"a":1}`, "", `{"a":1}`}, since: 2, verdict: Unknown},
		"not visible, declared differs":      {history: []string{`{}`, "", `{}`}, since: 2, expect: []org.Expectation{on}, verdict: Drifted, want: []string{"/sandbox/enabled removed -->- r0 expected true"}},
		"renamed":                            {history: []string{`{"o":{"a":[7]}}`, `{"o":{"b":[7]}}`}, since: 1, verdict: Drifted, want: []string{"/o/a removed [0.7e1]->- r2 renamed to /o/b", "/o/b added -->[0.7e1] r2"}},
		"a switch is no rename":              {history: []string{`{"a":true,"n":null,"e":[],"m":{},"s":""}`, `{"b":true,"o":null,"f":[],"l":{},"r":""}`}, since: 1, verdict: Drifted, want: []string{"/a removed true->- r2", "/b added -->true r2", "/e removed []->- r2", "/f added -->[] r2", "/l added -->{} r2", "/m removed {}->- r2", "/n removed null->- r2", "/o added -->null r2", "/r added -->\"\" r2", "/s removed \"\"->- r2"}},
		"two revisions are no rename":        {history: []string{`{"a":7}`, `{}`, `{"b":7}`}, since: 1, verdict: Drifted, want: []string{"/a removed 0.7e1->- r2", "/b added -->0.7e1 r3"}},
		"blame is the newest of several":     {history: []string{`{"o":{"a":1,"b":1}}`, `{"o":{"a":2,"b":1}}`, `{"o":{"a":2,"b":3}}`, `{}`, `{"o":{"a":2}}`}, since: 1, verdict: Drifted, want: []string{"/o/a changed 0.1e1->0.2e1 r5", "/o/b removed 0.1e1->- r4", `/o added -->{"a":0.2e1} r5 transient since r4 for 1h0m0s`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := Make(input(story(t, c.history...), c.since, c.expect...))
			wantVerdict(t, r, c.verdict)
			if diff := cmp.Diff(append([]string{}, c.want...), saidAll(r)); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSecrets: a secret that looks the same and is another one is a change, and one that
// came back came and went.
func TestSecrets(t *testing.T) {
	t.Parallel()
	look := `{"m":[{"apiKey":{"redacted":true,"kind":"literal"}}]}`
	fold := func(marks ...uint64) *Report {
		revisions := story(t, look, look, look)
		in := input(revisions, 1)
		in.History = NewHistory(3, 1)
		for i := 2; i >= 0; i-- {
			in.History.Add(revisions[i], map[string]uint64{"m": marks[i]})
		}
		return Make(in)
	}
	for name, c := range map[string]struct {
		marks   []uint64
		verdict string
		want    []string
	}{
		"same":          {[]uint64{1, 1, 1}, InSync, nil},
		"another":       {[]uint64{1, 2, 2}, Drifted, []string{"/m changed -->- r2 secret"}},
		"came and went": {[]uint64{1, 2, 1}, InSync, []string{"/m changed -->- r3 secret transient since r2 for 1h0m0s"}},
	} {
		r := fold(c.marks...)
		wantVerdict(t, r, c.verdict)
		if diff := cmp.Diff(append([]string{}, c.want...), saidAll(r)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if a, b := fold(1, 2, 2), fold(1, 1, 2); a.Settings.Changes[0].Fingerprint == b.Settings.Changes[0].Fingerprint {
		t.Error("another secret has the same fingerprint: an acceptance would cover it")
	}
}

// TestSecretsOfAnyKey: which secret changed is seen with any key, and the baseline of one
// machine holds on another.
func TestSecretsOfAnyKey(t *testing.T) {
	t.Parallel()
	text := func(a, b, pin string) string {
		return fmt.Sprintf(`{"m":[{"id":"a","apiKey":%q},{"id":"b","apiKey":"same"}],"auth":{"token":%q},"tokens":[%q,7]}`, a, b, pin)
	}
	var first []Change
	for _, hide := range []org.Redactor{
		org.NewRedactor(func() ([]byte, bool) { return []byte("ada"), true }),
		org.NewRedactor(func() ([]byte, bool) { return []byte("grace"), true }),
		org.NewRedactor(func() ([]byte, bool) { return []byte("nobody"), false }),
	} {
		revisions := story(t, text("s1", "t1", "p1"), text("s2", "t2", "p1"), text("s2", "t1", "p2"))
		for i := range revisions {
			revisions[i].Settings = hide.Redact(revisions[i].Settings).(map[string]any)
		}
		changes := Make(input(revisions, 1)).Settings.Changes
		said := []string{}
		for _, c := range changes {
			line := fmt.Sprintf("%s %s r%d %t", c.Path, c.Change, c.Revision, c.Transient)
			if c.Items != nil {
				for _, x := range c.Items.Changed {
					line += " " + x.Key + x.Changes[0].Path
				}
			}
			said = append(said, line)
		}
		want := []string{"/m changed r2 false a/apiKey", "/tokens changed r3 false", "/auth/token changed r3 true"}
		if diff := cmp.Diff(want, said); diff != "" {
			t.Errorf("changes (-want +got):\n%s", diff)
		}
		if first == nil {
			first = changes
		}
		for i := range min(len(first), len(changes)) {
			if first[i].Fingerprint != changes[i].Fingerprint {
				t.Errorf("%s has the fingerprint %s with one key and %s with another", changes[i].Path, first[i].Fingerprint, changes[i].Fingerprint)
			}
		}
	}
}

// TestHistoryAgrees folds any history and compares with looking at all of it at once.
func TestHistoryAgrees(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var all []org.Revision
		settings := drawObject(t, "first", 2)
		for i := range rapid.IntRange(1, 8).Draw(t, "revisions") {
			if i > 0 && rapid.Bool().Draw(t, "fresh") {
				settings = drawObject(t, "next", 2)
			} else if i > 1 {
				settings = all[rapid.IntRange(0, i-1).Draw(t, "again")].Settings
			}
			all = append(all, org.Revision{Number: int64(i + 1), Settings: settings, UpdatedAt: fmt.Sprintf("2026-11-01T%02d:00:00Z", i)})
		}
		base, newest := all[0], all[len(all)-1]
		r := Make(input(all, 1))
		reported := newTree()
		net := map[string]Change{}
		for _, c := range r.Settings.Changes {
			reported.add(c.Path)
			if !c.Transient {
				net[c.Path] = c
			} else if c.Began.Revision >= c.Revision {
				t.Fatalf("ends before it began: %s", said(c))
			}
		}
		diffs := Diff(base.Settings, newest.Settings)
		if len(diffs) != len(net) {
			t.Fatalf("%d differences, %d reported", len(diffs), len(net))
		}
		for _, d := range diffs {
			if got, want := net[d.Path], origin(all, d.Path); got.Revision != want || !got.After.Equal(d.After) {
				t.Fatalf("%s: blamed on revision %d, want %d", d.Path, got.Revision, want)
			}
		}
		for _, revision := range all {
			for _, d := range Diff(revision.Settings, newest.Settings) {
				if !reported.touches(d.Path) {
					t.Fatalf("revision %d had another %s and nothing is said of it: %q", revision.Number, d.Path, saidAll(r))
				}
			}
		}
		if (r.Verdict == Drifted) != (len(diffs) > 0) {
			t.Fatalf("verdict %s with %d differences", r.Verdict, len(diffs))
		}
	})
}

// origin is the newest revision in which the value at pointer is not what it was.
func origin(all []org.Revision, pointer string) int64 {
	for i := len(all) - 1; i > 0; i-- {
		if !lookup(all[i].Settings, pointer).Equal(lookup(all[i-1].Settings, pointer)) {
			return all[i].Number
		}
	}
	return all[0].Number
}

// TestHistoryIsBounded: what is kept does not grow with the number of revisions, even if
// every one of them is about something else and half of them are not visible.
func TestHistoryIsBounded(t *testing.T) {
	t.Parallel()
	h := NewHistory(1_000_000, 1)
	for n := int64(1_000_000); ; n -= 2 {
		r := org.Revision{Number: max(n, 1), Settings: map[string]any{fmt.Sprint("k", n): n}}
		if n < 900_000 {
			r.Number = 1
		}
		if !h.Add(r, nil) {
			break
		}
	}
	if len(h.places) > maxPlaces || len(h.gaps) > maxGaps {
		t.Errorf("%d places, %d gaps are kept", len(h.places), len(h.gaps))
	}
	if !h.Whole() || h.untraced == 0 || h.moreGaps == 0 {
		t.Errorf("whole %v, %d changes and %d gaps beyond: what is not kept must be counted", h.Whole(), h.untraced, h.moreGaps)
	}
}

func TestHistoryEnds(t *testing.T) {
	t.Parallel()
	boom := errors.New("status 500")
	for name, c := range map[string]struct {
		fold func(h *History)
		want string
	}{
		"broken":      {func(h *History) { h.Add(revision(t, 5, `{}`), nil); h.Stop(boom) }, "changes since revision 3: status 500"},
		"too short":   {func(h *History) { h.Add(revision(t, 5, `{}`), nil); h.Stop(nil) }, "changes since revision 3: the history ends before"},
		"not visible": {func(h *History) { h.Add(revision(t, 5, `{}`), nil); h.Add(revision(t, 2, `{}`), nil); h.Stop(boom) }, "changes since revision 3: revision 3 is not visible"},
		"newer ones": {func(h *History) {
			for _, n := range []int64{7, 6, 5, 4, 3} {
				h.Add(revision(t, n, `{}`), nil)
			}
			h.Stop(boom)
		}, ""},
	} {
		revisions := []org.Revision{revision(t, 5, `{}`)}
		in := input(revisions, 0)
		in.Since, in.History = 3, NewHistory(5, 3)
		c.fold(in.History)
		r := Make(in)
		got := ""
		for _, g := range r.Coverage.Missing {
			got += g.Error
		}
		if !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") || r.Coverage.Complete != (got == "") {
			t.Errorf("%s: missing %q, want %q", name, got, c.want)
		}
		if r.Verdict == InSync && got != "" {
			t.Errorf("%s: in sync without having seen everything", name)
		}
	}
}
