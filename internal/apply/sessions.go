package apply

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/ledger"
	"github.com/govctl/govctl/internal/plan"
)

// sessions resets the models of idle sessions one by one.
func (x *run) sessions() {
	for _, s := range x.plan.Sessions {
		o := ObjectOutcome{Name: s.ID, Action: plan.ActionUpdate, ID: s.ID, Result: NotAttempted}
		switch {
		case x.options.Earlier.Sessions[s.ID]:
			o.Result, o.Earlier = Done, true
		case x.going():
			x.session(s, &o)
		}
		x.report.Sessions = append(x.report.Sessions, o)
	}
}

// session looks whether the session is as it was planned, and only then changes it. A
// session begins to run whenever its user likes: one that does is left alone. Nothing but
// its next message lies between the look and the change.
func (x *run) session(s plan.SessionChange, o *ObjectOutcome) {
	now, err := x.writer.Session(x.ctx, s.ID)
	switch {
	case err != nil && x.ctx.Err() != nil:
		x.going() // ctx is why
		return
	case err != nil && !notFound(err):
		o.Error = fmt.Sprintf("left alone, it could not be read: %v", err)
		if fatal(err) {
			x.stop(err)
		}
	case err != nil:
		o.Error = "left alone: it is not there any more"
	default:
		o.Error = moved(s, now)
	}
	if o.Error != "" {
		x.settle(1)
		return
	}
	if x.going() {
		x.reset(s, o)
	}
}

// moved says why a session is not as it was when its change was planned, "" if it is.
func moved(s plan.SessionChange, now api.Session) string {
	if now.SessionID != s.ID {
		return fmt.Sprintf("left alone: the service answered for session %q", now.SessionID)
	}
	if now.Status == nil || *now.Status != "idle" {
		status := "in an unknown state"
		if now.Status != nil {
			status = *now.Status
		}
		return "left alone: it is " + status + " now"
	}
	if now.SessionSettings != nil && now.SessionSettings.ArchivedAt != nil && *now.SessionSettings.ArchivedAt != "" {
		return "left alone: it is archived now"
	}
	for _, f := range s.Fields {
		if have := modelOf(now, f.Name); have != f.Before {
			return fmt.Sprintf("left alone: its %s is %q now, it was %q", f.Name, have, f.Before)
		}
	}
	return ""
}

// modelOf is the model in a field of a session, "" for none.
func modelOf(s api.Session, field string) string {
	if s.SessionSettings == nil {
		return ""
	}
	p := s.SessionSettings.Model
	if field == plan.FieldSpecModeModel {
		p = s.SessionSettings.SpecModeModel
	}
	if p == nil {
		return ""
	}
	return *p
}

// reset sends one PATCH and checks every written field in the answer.
func (x *run) reset(s plan.SessionChange, o *ObjectOutcome) {
	object := ledger.Object{Action: plan.ActionUpdate, ID: s.ID}
	var body api.SessionUpdate
	for _, f := range s.Fields {
		object.Fields = append(object.Fields, f.Name)
		switch f.Name {
		case plan.FieldModel:
			body.SessionSettings.Model = &f.After
		case plan.FieldSpecModeModel:
			body.SessionSettings.SpecModeModel = &f.After
		}
	}
	intent := object
	_, err := x.step(ledger.Record{Session: &intent}, func(ctx context.Context) ledger.Record {
		got, err := x.writer.UpdateSession(ctx, s.ID, body)
		if err == nil {
			err = unshown(s, got)
		}
		x.settleObject(o, err)
		object.Result, object.Error = recorded(o.Result), o.Error
		return ledger.Record{Session: &object, RequestID: requestID(err)}
	})
	x.stop(err)
}

// unshown names what of a change an answer does not show, nil if it shows all of it.
func unshown(s plan.SessionChange, got api.Session) error {
	var bad []string
	if got.SessionID != s.ID {
		bad = append(bad, "id")
	}
	for _, f := range s.Fields {
		if modelOf(got, f.Name) != f.After {
			bad = append(bad, f.Name)
		}
	}
	if len(bad) == 0 {
		return nil
	}
	return errors.New("session " + s.ID + ": the answer does not show the change of " + strings.Join(bad, ", "))
}
