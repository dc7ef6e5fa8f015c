package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/service/store"
)

type orgJSON struct {
	FormatVersion    string  `json:"format_version"`
	ID               string  `json:"id"`
	Name             string  `json:"name"`
	CreatedAt        *string `json:"created_at"`
	Database         string  `json:"database"`
	Users            int64   `json:"users"`
	Keys             int64   `json:"keys"`
	Limits           int64   `json:"limits"`
	Computers        int64   `json:"computers"`
	Sessions         int64   `json:"sessions"`
	Messages         int64   `json:"messages"`
	Revisions        int64   `json:"revisions"`
	ReadinessReports int64   `json:"readiness_reports"`
}

func (o *operator) orgCommand() *cobra.Command {
	c := &cobra.Command{Use: "org", Short: "The organization of the database"}
	c.AddCommand(&cobra.Command{
		Use: "show", Short: "Show the organization and how much it has", Example: "  govctl service org show", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return o.runOrgShow(c.Context()) },
	})
	return c
}

func (o *operator) runOrgShow(ctx context.Context) error {
	path, err := o.path()
	if err != nil {
		return err
	}
	return o.list(ctx, func(s *store.Store) (listing, error) {
		one, err := s.Organization(ctx)
		if errors.Is(err, store.ErrNotFound) {
			return listing{}, &hinted{fmt.Errorf("%s has no organization yet", path), "govctl service init --organization ID --name NAME --database " + path}
		} else if err != nil {
			return listing{}, err
		}
		n, err := s.Counts(ctx)
		if err != nil {
			return listing{}, err
		}
		l := listing{
			json: orgJSON{
				"1.0", one.ID, one.Name, stampJSON(one.CreatedAt), path,
				n.Users, n.Keys, n.Limits, n.Computers, n.Sessions, n.Messages, n.Revisions, n.Reports,
			},
			head: []string{"ORGANIZATION", one.ID},
			rows: [][]string{{"name", one.Name}, {"created", stamp(one.CreatedAt)}, {"database", path}},
		}
		for _, count := range []struct {
			name string
			n    int64
		}{
			{"members", n.Users}, {"API keys", n.Keys}, {"credit limits", n.Limits}, {"computers", n.Computers}, {"sessions", n.Sessions},
			{"messages", n.Messages}, {"settings revisions", n.Revisions}, {"readiness reports", n.Reports},
		} {
			l.rows = append(l.rows, []string{count.name, fmt.Sprint(count.n)})
		}
		return l, nil
	})
}
