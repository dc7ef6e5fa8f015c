package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/render"
)

func (a *app) setCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "set", Short: "Change a session's settings",
		Example: "  govctl set session ses_001 --model model-a --dry-run --project examples/quickstart",
	}
	c.AddCommand(a.setSessionCommand())
	return c
}

func (a *app) setSessionCommand() *cobra.Command {
	var flags setFlags
	c := &cobra.Command{
		Use: "session ID", Short: "Change the settings of one session",
		Long: `Set reads the session, sends what differs from what is asked for in one PATCH, and
compares every written field with the answer. Only settings that the API lets be
written can be named. The key is GOVCTL_WRITE_API_KEY, or else GOVCTL_API_KEY.

Tags and tool lists are replaced as wholes by the service: a tag that somebody adds
between the reading and the writing is lost.

The exit code is 4 when the answer does not confirm what was asked for, or when there is
none: the change may then be done all the same.`,
		Example: "  govctl set session ses_001 --model model-a --tag reviewed --dry-run --project examples/quickstart\n  govctl set session ses_002 --archive --project examples/quickstart",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return a.runSetSession(c.Context(), &flags, c.Flags().Changed, args[0])
		},
	}
	flags.bindSet(c.Flags())
	return c
}

func (a *app) runSetSession(ctx context.Context, flags *setFlags, given func(string) bool, id string) error {
	outs, err := a.outputs([]string{render.Text, render.JSON})
	if err != nil {
		return err
	}
	asked, err := flags.asked(given, a.in, a.now)
	if err != nil {
		return err
	}
	s, err := a.open(ctx, &flags.getFlags, forReading)
	if err != nil {
		return err
	}
	if err := a.sameOrganization(ctx, s); err != nil {
		return err
	}
	session, err := s.client.Session(ctx, id)
	if err != nil {
		return roleHint(err)
	}
	fields, err := asked.changes(session)
	if err != nil {
		return err
	}
	report := render.SessionReport{FormatVersion: "1.0", SessionID: session.SessionID, Result: render.SessionNothing, Fields: fields}
	if session.Status != nil {
		report.Status = *session.Status
	}
	switch {
	case len(fields) == 0:
	case flags.dryRun:
		report.Result = render.SessionPlanned
	default:
		if err := a.sendSettings(ctx, s, id, &report); err != nil {
			return err
		}
	}
	if err := a.emit(outs, func(w io.Writer, format string, o render.Options) error {
		return render.Session(w, format, report, o)
	}); err != nil {
		return err
	}
	a.seen.partly = report.Result == render.SessionUnknown || report.Result == render.SessionUnconfirmed
	return nil
}

// sameOrganization refuses to write to another organization than the declared one. A role
// that may not ask for its name is told so, as a plan is.
func (a *app) sameOrganization(ctx context.Context, s *source) error {
	declared := s.project.Service.Organization
	if declared == "" {
		return nil
	}
	id, err := s.client.OrganizationID(ctx, a.now())
	var e *api.Error
	switch {
	case errors.As(err, &e) && e.Status == http.StatusForbidden:
		a.note("the organization is not verified: this key may not ask for its name")
		return nil
	case err != nil:
		return fmt.Errorf("%w: the organization cannot be verified: %w", errIncomplete, err)
	case id != declared:
		return &refusal{fmt.Errorf("this key belongs to organization %s, but the configuration declares %s", render.Clean(id), declared)}
	}
	return nil
}

// sendSettings sends the fields of a report and says in it what became of them. Its error
// means that nothing was changed.
func (a *app) sendSettings(ctx context.Context, s *source, id string, report *render.SessionReport) error {
	writer, err := a.client(ctx, s.conn, forWriting)
	if err != nil {
		return err
	}
	got, err := writer.SetSession(ctx, id, patchOf(report.Fields))
	var e *api.Error
	switch {
	case errors.As(err, &e) && e.Ambiguous:
		report.Result, report.Error = render.SessionUnknown, errorText(err)
		return nil
	case err != nil:
		return roleHint(err)
	}
	report.Result = render.SessionDone
	if other := unconfirmed(report.Fields, got); len(other) > 0 {
		report.Result, report.Unconfirmed = render.SessionUnconfirmed, other
	}
	return nil
}
