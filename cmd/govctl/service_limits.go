package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/service/store"
)

// limitsNote marks what the API has no way to tell (U68).
const limitsNote = "embedded service only, not part of the API"

type limitJSON struct {
	UserID string  `json:"user_id"`
	Email  string  `json:"email"`
	Limit  int64   `json:"limit"`
	SetAt  *string `json:"set_at"`
	SetBy  string  `json:"set_by"`
}

type limitsJSON struct {
	FormatVersion string      `json:"format_version"`
	Note          string      `json:"note"`
	Limits        []limitJSON `json:"limits"`
}

func (o *operator) limitsCommand() *cobra.Command {
	c := &cobra.Command{Use: "limits", Short: "The credit limits that are set: " + limitsNote}
	c.AddCommand(&cobra.Command{
		Use: "list", Short: "List the credit limits: " + limitsNote, Example: "  govctl service limits list -o json", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return o.runLimitsList(c.Context()) },
	})
	return c
}

func (o *operator) runLimitsList(ctx context.Context) error {
	return o.list(ctx, func(s *store.Store) (listing, error) {
		l := listing{title: "(" + limitsNote + ")", head: []string{"EMAIL", "LIMIT", "SET AT", "SET BY"}, empty: "No limit is set."}
		limits, err := s.Limits(ctx)
		all := limitsJSON{"1.0", limitsNote, []limitJSON{}}
		for _, one := range limits {
			all.Limits = append(all.Limits, limitJSON{one.UserID, one.Email, one.Value, stampJSON(one.SetAt), one.SetBy})
			l.rows = append(l.rows, []string{one.Email, fmt.Sprint(one.Value), stamp(one.SetAt), firstOf(one.SetBy, "operator")})
		}
		l.json = all
		return l, err
	})
}
