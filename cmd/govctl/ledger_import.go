package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/config"
	"github.com/govctl/govctl/internal/ledger"
)

func (a *app) ledgerImportCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "import FILE.csv | LEDGER [DIR]",
		Short: "Take in limits that a person knows, or another ledger",
		Long: `Import takes in what govctl did not do itself.

FILE.csv, with the header email,limit, states the limits that are in force now, as
read off the web application. They count as confirmed until something else is asked
for, and the ledger keeps who stated them: govctl cannot check them.

LEDGER, a file or a URL, is another ledger: its records are added, once, and both
histories are one from then on. That is how a team moves to a shared ledger.`,
		Example: "  govctl ledger import known.csv examples/quickstart\n  GOVCTL_LEDGER=postgres://db.example.com/govctl govctl ledger import .govctl/ledger.jsonl",
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			return a.runLedgerImport(c.Context(), args[0], args[1:])
		},
	}
}

func (a *app) runLedgerImport(ctx context.Context, from string, dir []string) error {
	p, err := a.projectDir(dir)
	if err != nil {
		return err
	}
	if strings.EqualFold(filepath.Ext(from), ".csv") {
		return a.importLimits(ctx, p, from)
	}
	return a.importLedger(ctx, p, from)
}

// importLimits records what a CSV file states as one record, all or nothing.
func (a *app) importLimits(ctx context.Context, p *config.Project, path string) error {
	limits, err := config.ReadLimits(path)
	if err != nil {
		return err
	}
	target := a.declaredTarget(p)
	if len(limits) == 0 || target.BaseURL == "" {
		return errors.New("nothing to import: the file states no limit, or the project names no service they are in force at")
	}
	r := ledger.Record{
		Kind: ledger.Import, Target: ledger.TargetOf(target), Limits: make([]ledger.Limit, len(limits)),
		Import: &ledger.Imported{By: ledger.Whoami(), Source: filepath.Base(path)},
	}
	for i, l := range limits {
		r.Limits[i] = ledger.Limit{Email: l.Email, Credits: l.Credits}
	}
	j, err := a.openLedger(ctx, p)
	if err != nil {
		return err
	}
	if _, err := j.Append(ctx, r); err != nil {
		return errors.Join(err, j.Close())
	}
	fmt.Fprintf(a.out, "Imported: %d limits stated by %s.\n", len(limits), r.Import.By)
	return j.Close()
}

// importLedger adds the records of another ledger.
func (a *app) importLedger(ctx context.Context, p *config.Project, url string) error {
	from, err := argument(url)
	if err != nil {
		return err
	}
	log, err := from.Read(ctx)
	if err != nil {
		return err
	}
	if len(log.Records()) == 0 {
		return fmt.Errorf("nothing to import: ledger %s is empty or does not exist", from)
	}
	j, err := a.openLedger(ctx, p)
	if err != nil {
		return err
	}
	n, err := j.Import(ctx, log, ledger.Imported{By: ledger.Whoami(), Source: from.String()})
	if err != nil {
		return errors.Join(err, j.Close())
	}
	fmt.Fprintf(a.out, "Imported: %d of %d records; the others were here already.\n", n, len(log.Records()))
	return j.Close()
}
