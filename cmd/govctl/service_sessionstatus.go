package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/render"
	"github.com/govctl/govctl/internal/service/exchange"
	"github.com/govctl/govctl/internal/service/store"
)

func isSessionStatus(s string) bool {
	return oneOf(s, store.SessionIdle, store.SessionPending, store.SessionRunning)
}

func (o *operator) sessionStatusCommand() *cobra.Command {
	return &cobra.Command{
		Use: "status ID STATUS", Short: "Move a session on: idle, pending, running, idle",
		Long: `Status moves a session from idle to pending, from pending to running, or from running
to idle, which completes it; no other change is possible. The API cannot change it.`,
		Example: "  govctl service session status ses_001 pending",
		Args:    cobra.ExactArgs(2),
		RunE:    func(c *cobra.Command, args []string) error { return o.runSessionStatus(c.Context(), args[0], args[1]) },
	}
}

func (o *operator) runSessionStatus(ctx context.Context, id, status string) error {
	outs, err := o.outputs([]string{render.Text, render.JSON})
	if err != nil {
		return err
	}
	if !isSessionStatus(status) {
		return fmt.Errorf("%q is not idle, pending or running", status)
	}
	return o.with(ctx, func(s *store.Store) error {
		one, err := s.SetSessionStatus(ctx, id, status, o.time())
		if errors.Is(err, store.ErrNotFound) {
			return &hinted{fmt.Errorf("there is no session with the id %s", id), "govctl service session list shows all"}
		} else if err != nil {
			return err
		}
		return o.say(outs, one.ID+" is "+one.Status, exchange.ExportSession(one, "", nil))
	})
}
