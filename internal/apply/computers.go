package apply

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/ledger"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
)

// computers carries out the computer changes one by one. A blocked one is reported as
// not attempted with the reason; a failed one does not stop the others, because they
// do not depend on each other.
func (x *run) computers() {
	for _, c := range x.plan.Computers {
		o := ObjectOutcome{Name: c.Name, Action: c.Action, ID: c.ID, Result: NotAttempted}
		switch {
		case c.Action == plan.ActionBlocked:
			o.Error = c.Detail
		case x.options.Earlier.Computers[c.Name]:
			o.Result, o.Earlier = Done, true
		case x.going():
			x.computer(c, &o)
		}
		x.report.Computers = append(x.report.Computers, o)
	}
}

// computer sends one change and records it.
func (x *run) computer(c plan.ComputerChange, o *ObjectOutcome) {
	fields := []string{}
	for _, f := range c.Fields {
		fields = append(fields, f.Name)
	}
	intent := ledger.Record{Computer: &ledger.Object{Action: c.Action, Name: c.Name, ID: c.ID, Fields: fields}}
	_, err := x.step(intent, func(ctx context.Context) ledger.Record {
		id, err := x.send(ctx, c)
		x.settleObject(o, err)
		if id != "" {
			o.ID = id
		}
		return ledger.Record{RequestID: requestID(err), Computer: &ledger.Object{
			Action: c.Action, Name: c.Name, ID: o.ID, Fields: fields, Result: recorded(o.Result), Error: o.Error,
		}}
	})
	x.stop(err)
}

// send makes the request of one change and checks that its answer shows the change.
func (x *run) send(ctx context.Context, c plan.ComputerChange) (id string, err error) {
	var got api.Computer
	switch c.Action {
	case plan.ActionCreate:
		return x.create(ctx, c)
	case plan.ActionUpdate:
		got, err = x.writer.UpdateComputer(ctx, c.ID, patch(c))
	case plan.ActionRetryInstall:
		got, err = x.writer.InstallDeps(ctx, c.ID)
	default:
		return "", fmt.Errorf("computer %s: unknown action %q: %w", c.Name, c.Action, errUnsent)
	}
	if err != nil {
		return "", err
	}
	return got.ID, unconfirmed(c, got)
}

// create looks the name up again, creates the computer and reads it back. A create is
// never sent twice: when its answer is lost the name says whether it happened.
func (x *run) create(ctx context.Context, c plan.ComputerChange) (string, error) {
	if there, err := x.writer.ComputerByName(ctx, c.Name); err == nil {
		return there.ID, fmt.Errorf("computer %s exists now (%s), plan again: %w", c.Name, there.ID, errUnsent)
	} else if !notFound(err) {
		return "", fmt.Errorf("%w: %w", errUnsent, err)
	}
	made, err := x.writer.CreateComputer(ctx, newComputer(c))
	if err != nil && definite(err) {
		return "", err
	}
	back, lookup := x.writer.ComputerByName(ctx, c.Name)
	switch {
	case lookup == nil && err == nil && back.ID != made.ID:
		return made.ID, fmt.Errorf("computer %s was created as %s, but its name leads to %s", c.Name, made.ID, back.ID)
	case lookup == nil:
		return back.ID, unconfirmed(c, back)
	case err != nil:
		return "", err
	default:
		return made.ID, fmt.Errorf("computer %s was created as %s, but %w: %w", c.Name, made.ID, errUnread, lookup)
	}
}

// newComputer is the body of a create.
func newComputer(c plan.ComputerChange) api.NewComputer {
	body := api.NewComputer{Name: c.Name, Provider: c.Provider}
	for _, f := range c.Fields {
		switch f.Name {
		case "host_id":
			body.HostID = f.After
		case "remote_user":
			body.RemoteUser = f.After
		}
	}
	if on := c.OnCreate; on != nil {
		body.Repos, body.AutoInstallDeps, body.ServiceAccountID = on.Repos, on.AutoInstallDeps, on.ServiceAccountID
		if on.Source != nil {
			body.Source, _ = json.Marshal(on.Source) // came from JSON
		}
	}
	return body
}

// patch has only the fields that change, never null (T22).
func patch(c plan.ComputerChange) api.ComputerPatch {
	var p api.ComputerPatch
	for _, f := range c.Fields {
		switch f.Name {
		case "name":
			p.Name = f.After
		case "host_id":
			p.HostID = f.After
		case "remote_user":
			p.RemoteUser = f.After
		}
	}
	return p
}

// unconfirmed compares an answer with what was asked, field by field; nil when the
// answer shows all of it. A retried installation changes no field.
func unconfirmed(c plan.ComputerChange, got api.Computer) error {
	var bad []string
	check := func(name, want string, have *string) {
		same := have != nil && (*have == want || name == "host_id" && org.SameHost(*have, want))
		if want != "" && !same {
			bad = append(bad, name)
		}
	}
	if c.Action != plan.ActionRetryInstall {
		check("name", c.Name, &got.Name)
	}
	if c.Action == plan.ActionCreate {
		check("provider", c.Provider, &got.ProviderType)
	}
	for _, f := range c.Fields {
		switch f.Name {
		case "host_id":
			check("host_id", f.After, got.HostID)
		case "remote_user":
			check("remote_user", f.After, got.RemoteUser)
		}
	}
	if c.ID != "" && got.ID != c.ID {
		bad = append(bad, "id")
	}
	if len(bad) == 0 {
		return nil
	}
	return fmt.Errorf("computer %s: the answer does not show the change of %s", c.Name, strings.Join(bad, ", "))
}

func notFound(err error) bool {
	var e *api.Error
	return errors.As(err, &e) && e.Status == 404
}
