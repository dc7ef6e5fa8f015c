package plan

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/org"
)

func TestSessions(t *testing.T) {
	t.Parallel()
	live := []org.Session{
		{ID: "s5", Status: "idle", Model: "old"}, {ID: "s1", Status: "idle", Model: "old"}, {ID: "s2", Status: "running", Model: "old"},
		{ID: "s3", Model: "old"}, {ID: "s4", Status: "idle", Model: "new"}, {ID: "s6", Status: "idle"}, {ID: "s7", Status: "idle", Model: "old", Archived: true},
		{ID: "s8", Status: "idle", Model: "new", SpecModeModel: "older"}, {ID: "s9", Status: "pending", Model: "old", SpecModeModel: "old"},
	}
	source := org.Source{File: "m.hcl", Line: 1, Column: 1}
	reset := func(id string) SessionChange {
		return SessionChange{ID: id, Fields: []Field{{Name: "model", Before: "old", After: "new"}}, Source: source}
	}
	spec := SessionChange{ID: "s8", Fields: []Field{{Name: FieldSpecModeModel, Before: "older", After: "new"}}, Source: source}
	for _, c := range []struct {
		name      string
		mode      string
		selection Selection
		want      []SessionChange
		notes     []string
	}{
		{name: "not asked for"},
		{name: "report", mode: "report", notes: []string{"session_model: s1=old", "session_model: s2=old", "session_model: s3=old", "session_model: s5=old", "session_model: s8=older", "session_model: s9=old"}},
		{name: "reset", mode: "reset", want: []SessionChange{reset("s1"), reset("s5"), spec}, notes: []string{"session_busy: s2=old, running", "session_busy: s3=old, status unknown", "session_busy: s9=old, pending"}},
		{name: "reset of one", mode: "reset", selection: Selection{Target: []string{"session/s5"}}, want: []SessionChange{reset("s5")}},
	} {
		in := Input{
			Want: org.Wanted{Models: &org.Models{Allowed: []string{"new"}, Sessions: c.mode, ResetTo: "new", Source: source}},
			Have: org.Live{Sessions: live}, Selection: c.selection, Now: now,
		}
		p := Make(in)
		if diff := cmp.Diff(c.want, p.Sessions); diff != "" {
			t.Errorf("%s: sessions (-want +got):\n%s", c.name, diff)
		}
		if got := p.Summary.Sessions.Update; got != len(c.want) || p.Summary.Requests != 2*len(c.want) {
			t.Errorf("%s: summary counts %d sessions and %d requests", c.name, got, p.Summary.Requests)
		}
		wantNotes(t, p, c.notes...)
	}
	if p := Make(Input{Have: org.Live{Sessions: live}, Now: now}); len(p.Sessions) != 0 || len(p.Notes) != 0 {
		t.Errorf("sessions without a models block: %v, %v", p.Sessions, notes(p))
	}
}
