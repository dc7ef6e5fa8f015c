package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/service/store"
)

func (o *operator) backupCommand() *cobra.Command {
	return &cobra.Command{
		Use: "backup FILE", Short: "Copy the database to a new file while the service runs",
		Long: `Backup writes one whole and consistent copy with mode 0600; it can be served as it
is. A file that exists is not overwritten.`,
		Example: "  govctl service backup acme-2026-11-20.db",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return o.runBackup(c.Context(), args[0])
		},
	}
}

func (o *operator) runBackup(ctx context.Context, file string) error {
	return o.with(ctx, func(s *store.Store) error {
		err := s.Backup(ctx, file)
		switch {
		case errors.Is(err, store.ErrExists):
			return &hinted{err, "name a file that does not exist yet"}
		case errors.Is(err, errors.ErrUnsupported):
			return &hinted{err, "run pg_dump"}
		case err != nil:
			return err
		}
		fmt.Fprintf(o.out, "backed up to %s\n", file)
		return nil
	})
}

func (o *operator) checkCommand() *cobra.Command {
	return &cobra.Command{
		Use: "check", Short: "Look for damage in the database", Example: "  govctl service check --database acme-2026-11-20.db", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return o.runCheck(c.Context()) },
	}
}

func (o *operator) runCheck(ctx context.Context) error {
	return o.with(ctx, func(s *store.Store) error {
		problems, err := s.Check(ctx)
		if err != nil {
			return err
		}
		for _, p := range problems {
			fmt.Fprintln(o.out, p)
		}
		if len(problems) > 0 {
			return &hinted{fmt.Errorf("the database has %s", many(len(problems), "problem")), "restore the newest backup that govctl service check finds sound"}
		}
		fmt.Fprintln(o.out, "The database is sound.")
		return nil
	})
}
