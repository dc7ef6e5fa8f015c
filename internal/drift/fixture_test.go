package drift

import (
	"fmt"
	"testing"
	"time"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
)

// now is the clock of all tests.
var now = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

type tester interface {
	Helper()
	Fatalf(string, ...any)
}

// parse decodes a JSON text of a test.
func parse(t tester, text string) any {
	t.Helper()
	v, err := org.DecodeJSON([]byte(text))
	if err != nil {
		t.Fatalf("DecodeJSON(%s): %v", text, err)
	}
	return v
}

// revision n was made by u_n at n o'clock.
func revision(t tester, n int64, settings string) org.Revision {
	t.Helper()
	return org.Revision{
		Number: n, Settings: parse(t, settings).(map[string]any), Actor: org.Actor{ID: fmt.Sprint("u_", n)},
		UpdatedAt: time.Date(2026, 11, 1, int(n), 0, 0, 0, time.UTC).Format(time.RFC3339),
	}
}

// story is a history of revisions, oldest first, the first is number 1; "" is a revision
// that is not visible.
func story(t tester, settings ...string) []org.Revision {
	t.Helper()
	var out []org.Revision
	for i, s := range settings {
		if s != "" {
			out = append(out, revision(t, int64(i+1), s))
		}
	}
	return out
}

// input is a project that declares expectations, against a history folded down to since.
func input(revisions []org.Revision, since int64, expectations ...org.Expectation) Input {
	newest := revisions[len(revisions)-1]
	in := Input{
		Want: org.Wanted{Expectations: expectations}, Have: org.Live{Newest: &newest, ByName: map[string]*org.Computer{}, ByID: map[string]*org.Computer{}},
		Since: since, Now: now,
	}
	if since > 0 {
		in.History = NewHistory(newest.Number, since)
		for i := len(revisions) - 1; i >= 0 && in.History.Add(revisions[i], nil); i-- {
			continue
		}
	}
	in.Plan = plan.Make(plan.Input{Want: in.Want, Have: in.Have, Last: in.Last, Now: now, Project: "p"})
	return in
}

// said is a change as PATH CHANGE BEFORE->AFTER rREVISION, with what is special about it.
func said(c Change) string {
	value := func(v Value) string {
		if !v.Found {
			return "-"
		}
		return canonical(v.JSON)
	}
	s := fmt.Sprintf("%s %s %s->%s r%d", c.Path, c.Change, value(c.Before), value(c.After), c.Revision)
	switch {
	case c.ExpectedAbsent:
		s += " expected absent"
	case c.Expected.Found:
		s += " expected " + value(c.Expected)
	}
	if c.AtOrBefore {
		s += " at or before"
	}
	if c.Secret {
		s += " secret"
	}
	if c.Transient {
		s += fmt.Sprintf(" transient since r%d for %s", c.Began.Revision, c.Duration())
	}
	if c.RenamedTo != "" {
		s += " renamed to " + c.RenamedTo
	}
	if c.Accepted != nil {
		s += " accepted"
	}
	return s
}

func saidAll(r *Report) []string {
	out := []string{}
	for _, c := range r.Settings.Changes {
		out = append(out, said(c))
	}
	return out
}

func wantVerdict(t *testing.T, r *Report, want string) {
	t.Helper()
	if r.Verdict != want {
		t.Errorf("verdict %s, want %s: %+v", r.Verdict, want, r)
	}
}
