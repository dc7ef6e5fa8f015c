package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/render"
	"github.com/govctl/govctl/internal/service/exchange"
	"github.com/govctl/govctl/internal/service/store"
)

func (o *operator) readinessCommand() *cobra.Command {
	c := &cobra.Command{Use: "readiness", Short: "The readiness reports of repositories"}
	repo := ""
	list := &cobra.Command{
		Use: "list", Short: "List the reports, newest first", Example: "  govctl service readiness list --repo https://git.example.com/acme/api", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return o.runReadinessList(c.Context(), repo) },
	}
	export := &cobra.Command{
		Use: "export", Short: "Write the reports as JSON that import reads", Example: "  govctl service readiness export > reports.json", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return o.runReadinessExport(c.Context(), repo) },
	}
	for _, one := range []*cobra.Command{list, export} {
		one.Flags().StringVar(&repo, "repo", "", "only reports of the repository with this id or URL")
	}
	c.AddCommand(list, export, &cobra.Command{
		Use: "import FILE", Short: "Add the reports of a file that are new",
		Long: `Import reads readiness reports in the shape of the API: an answer with "reports",
an array, one object, or one per line; - is stdin. A report may name its
repository's id as repoId, else it gets one made from the URL.`,
		Example: "  govctl service readiness import reports.json",
		Args:    cobra.ExactArgs(1),
		RunE:    func(c *cobra.Command, args []string) error { return o.runReadinessImport(c.Context(), args[0]) },
	})
	return c
}

func (o *operator) runReadinessImport(ctx context.Context, file string) error {
	data, err := o.read(file)
	if err != nil {
		return err
	}
	reports, err := exchange.ReadReports(data)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return o.bring(ctx, "report", len(reports), func(s *store.Store) (int, error) { return s.AddReports(ctx, reports) })
}

func (o *operator) runReadinessList(ctx context.Context, repo string) error {
	return o.list(ctx, func(s *store.Store) (listing, error) {
		l := listing{head: []string{"AT", "REPOSITORY", "SCORE", "BRANCH", "ID"}, empty: "There are no readiness reports."}
		reports, err := s.Reports(ctx, store.ReportQuery{Repo: repo, Limit: store.All})
		if err != nil {
			return l, err
		}
		for _, r := range reports {
			branch := ""
			if r.Branch != nil {
				branch = *r.Branch
			}
			l.rows = append(l.rows, []string{stamp(r.CreatedAt), r.RepoURL, exchange.Score(r), branch, r.ID})
		}
		l.json = exchange.ExportReports(reports)
		return l, nil
	})
}

func (o *operator) runReadinessExport(ctx context.Context, repo string) error {
	return o.with(ctx, func(s *store.Store) error {
		reports, err := s.Reports(ctx, store.ReportQuery{Repo: repo, Limit: store.All})
		if err != nil {
			return err
		}
		return render.WriteJSON(o.out, exchange.ExportReports(reports))
	})
}
