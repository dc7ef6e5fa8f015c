package apply

import (
	"strings"
	"testing"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/plan"
)

// TestSessionsAreLookedAt: a session that is not as it was planned is left alone with its
// reason, without a trace in the ledger, and the next one is not.
func TestSessionsAreLookedAt(t *testing.T) {
	t.Parallel()
	status := func(code int) func(*api.Session) error {
		return func(*api.Session) error { return &api.Error{Method: "GET", Path: "/x", Status: code} }
	}
	is := func(edit func(*api.Session)) func(*api.Session) error {
		return func(s *api.Session) error { edit(s); return nil }
	}
	for name, c := range map[string]struct {
		now   func(*api.Session) error
		why   string
		stops bool
	}{
		"runs":          {is(func(s *api.Session) { s.Status = new("running") }), "it is running now", false},
		"is pending":    {is(func(s *api.Session) { s.Status = new("pending") }), "it is pending now", false},
		"does not say":  {is(func(s *api.Session) { s.Status = nil }), "in an unknown state", false},
		"was archived":  {is(func(s *api.Session) { s.SessionSettings.ArchivedAt = new("2026-11-20") }), "archived", false},
		"was changed":   {is(func(s *api.Session) { s.SessionSettings.Model = new("third") }), `its model is "third" now, it was "old"`, false},
		"has no model":  {is(func(s *api.Session) { s.SessionSettings = nil }), `its model is "" now`, false},
		"is another":    {is(func(s *api.Session) { s.SessionID = "ses_9" }), `answered for session "ses_9"`, false},
		"is gone":       {status(404), "not there any more", false},
		"is unreadable": {status(500), "could not be read", false},
		"is forbidden":  {status(403), "could not be read", false},
		"key refused":   {status(401), "could not be read", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := &world{sessions: map[string]func(*api.Session) error{"ses_1": c.now}}
			report, err := w.run(t, planOf(0, nil, "ses_1", "ses_2"))
			first, second := report.Sessions[0], report.Sessions[1]
			if first.Result != NotAttempted || !strings.Contains(first.Error, c.why) || !strings.HasPrefix(first.Error, "left alone") {
				t.Errorf("%+v, want one left alone because of %q", first, c.why)
			}
			if (second.Result == NotAttempted) != c.stops || (err != nil) != c.stops {
				t.Errorf("stopped by %v, then %+v", err, second)
			}
			for _, r := range w.records {
				if r.Session != nil && r.Session.ID == "ses_1" {
					t.Errorf("recorded %+v", r.Session)
				}
			}
			if strings.Contains(strings.Join(w.log, " "), "PATCH ses_1") {
				t.Errorf("sent: %v", w.log)
			}
		})
	}
}

// TestSessionFields sends both models of a session and wants both in the answer.
func TestSessionFields(t *testing.T) {
	t.Parallel()
	both := plan.SessionChange{ID: "ses_1", Fields: []plan.Field{{Name: plan.FieldModel, Before: "old", After: "new"}, {Name: plan.FieldSpecModeModel, Before: "older", After: "new"}}}
	spec := func(s *api.Session) error { s.SessionSettings.SpecModeModel = new("older"); return nil }
	w := &world{sessions: map[string]func(*api.Session) error{"ses_1": spec}}
	report, err := w.run(t, &plan.Plan{Digest: "sha256:d", Sessions: []plan.SessionChange{both}})
	if err != nil || report.Sessions[0].Result != Done || w.log[1] != `PATCH ses_1 {"sessionSettings":{"model":"new","specModeModel":"new"}}` {
		t.Errorf("%v: %+v after %v", err, report.Sessions, w.log)
	}
	for field, got := range map[string]api.SessionSettings{
		"model": {SpecModeModel: new("new")}, "spec_mode_model": {Model: new("new")}, "model, spec_mode_model": {},
	} {
		err := unshown(both, api.Session{SessionID: "ses_1", SessionSettings: &got})
		if err == nil || !strings.HasSuffix(err.Error(), "the change of "+field) {
			t.Errorf("%s is missing: %v", field, err)
		}
	}
	if err := unshown(both, api.Session{SessionID: "ses_2"}); err == nil || !strings.Contains(err.Error(), "change of id, model") {
		t.Errorf("another session: %v", err)
	}
}
