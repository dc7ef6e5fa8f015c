package apply

import (
	"context"
	"fmt"

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

// session sends one PATCH and checks the written fields in the answer.
func (x *run) session(s plan.SessionChange, o *ObjectOutcome) {
	object := ledger.Object{Action: plan.ActionUpdate, ID: s.ID}
	var body api.SessionUpdate
	for _, f := range s.Fields {
		object.Fields = append(object.Fields, f.Name)
		if f.Name == "model" {
			body.SessionSettings.Model = &f.After
		}
	}
	intent := object
	_, err := x.step(ledger.Record{Session: &intent}, func(ctx context.Context) ledger.Record {
		got, err := x.writer.UpdateSession(ctx, s.ID, body)
		if err == nil && !shows(got, body) {
			err = fmt.Errorf("session %s: the answer does not show the change", s.ID)
		}
		x.settleObject(o, err)
		object.Result, object.Error = recorded(o.Result), o.Error
		return ledger.Record{Session: &object, RequestID: requestID(err)}
	})
	x.stop(err)
}

// shows reports whether a session has the model that was asked for.
func shows(got api.Session, want api.SessionUpdate) bool {
	s, m := got.SessionSettings, want.SessionSettings.Model
	return m == nil || s != nil && s.Model != nil && *s.Model == *m
}
