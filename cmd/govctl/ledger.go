package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/config"
	"github.com/govctl/govctl/internal/ledger"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/render"
)

func (a *app) ledgerCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "ledger",
		Short: "What govctl knows and how it knows it",
	}
	verify := a.ledgerSub("verify [DIR]", "Check that the ledger is whole", 1, a.runLedgerVerify)
	verify.Long = `Verify reads every record and says, by line, what should not be there: answers to
requests nobody made, records twice, a line that a crash cut off. It changes nothing and
does not need the lock. What a problem touches counts as unknown, so that the next plan
sends it again. Records out of order are what git leaves where two branches were merged:
they are named, and are no error.`
	c.AddCommand(
		a.ledgerSub("list [DIR]", "List what is known of each limit and computer", 1, a.runLedgerList),
		a.ledgerSub("show KEY [DIR]", "Show the records of an address, a computer or a record id", 2, a.runLedgerShow),
		verify, a.ledgerImportCommand(), a.ledgerCompactCommand(), a.ledgerUnlockCommand(),
	)
	return c
}

func (a *app) ledgerSub(use, short string, most int, runE func(context.Context, []string) error) *cobra.Command {
	name, _, _ := strings.Cut(use, " ")
	return &cobra.Command{
		Use: use, Short: short, Args: cobra.RangeArgs(most-1, most),
		Example: "  govctl ledger " + name + strings.TrimPrefix(strings.NewReplacer("KEY", "ada@acme.example", "[DIR]", "examples/quickstart").Replace(use), name),
		RunE:    func(c *cobra.Command, args []string) error { return runE(c.Context(), args) },
	}
}

// openLog reads the ledger of the project in the last of most arguments.
func (a *app) openLog(ctx context.Context, args []string) (*ledger.Log, org.Target, error) {
	p, at, err := a.ledgerOf(args)
	if err != nil {
		return nil, org.Target{}, err
	}
	log, err := at.Read(ctx)
	return log, a.declaredTarget(p), err
}

// ledgerOf says where the ledger of the project in the optional DIR argument is.
func (a *app) ledgerOf(args []string) (*config.Project, ledger.Location, error) {
	p, err := a.projectDir(args)
	if err != nil {
		return nil, ledger.Location{}, err
	}
	at, err := a.ledgerAt(p)
	return p, at, err
}

// declaredTarget is where the records of a project go, as far as its files know.
func (a *app) declaredTarget(p *config.Project) org.Target {
	return org.Target{BaseURL: a.baseURL(p), Organization: p.Service.Organization}
}

func (a *app) runLedgerList(ctx context.Context, args []string) error {
	outs, err := a.outputs([]string{render.Text, render.JSON})
	if err != nil {
		return err
	}
	log, target, err := a.openLog(ctx, args)
	if err != nil {
		return err
	}
	known := log.Known(target)
	return a.emit(outs, func(w io.Writer, format string, o render.Options) error {
		return render.Known(w, format, target, known, o)
	})
}

func (a *app) runLedgerShow(ctx context.Context, args []string) error {
	outs, err := a.outputs([]string{render.Text, render.JSON})
	if err != nil {
		return err
	}
	log, _, err := a.openLog(ctx, args[1:])
	if err != nil {
		return err
	}
	records := log.Records()
	about := slices.DeleteFunc(slices.Clone(records), func(r ledger.Record) bool { return !about(r, args[0]) })
	if len(about) == 0 {
		return fmt.Errorf("the ledger has no record of %q", args[0])
	}
	return a.emit(outs, func(w io.Writer, format string, o render.Options) error {
		return render.Records(w, format, args[0], about, o)
	})
}

func (a *app) runLedgerVerify(ctx context.Context, args []string) error {
	_, at, err := a.ledgerOf(args)
	if err != nil {
		return err
	}
	log, err := at.Read(ctx)
	if err != nil {
		return err
	}
	unit := "line"
	if at.Shared() {
		unit = "record"
	}
	bad := 0
	for _, p := range log.Verify() {
		fmt.Fprintf(a.out, "%s %d: %s\n", unit, p.Line, render.Clean(p.Message))
		if !p.Harmless {
			bad++
		}
	}
	if bad > 0 {
		return fmt.Errorf("the ledger has %d problems", bad)
	}
	fmt.Fprintf(a.out, "The ledger is whole: %d records, lineage %s.\n", log.Position().Serial, firstOf(log.Position().Lineage, "none"))
	return nil
}

// about reports whether a record, or the intention it answers, mentions key: an
// address, a computer's name or id, a session or a record's id.
func about(r ledger.Record, key string) bool {
	email := org.Fold(key)
	mentions := r.ID == key || r.Of == key || slices.Contains(r.Set, email) ||
		slices.Contains(r.Unknown, email) || slices.Contains(r.NotSent, email) ||
		slices.ContainsFunc(r.Limits, func(l ledger.Limit) bool { return l.Email == email }) ||
		slices.ContainsFunc(r.Refused, func(f ledger.Refused) bool { return f.Email == email })
	for _, o := range []*ledger.Object{r.Computer, r.Session} {
		mentions = mentions || o != nil && (o.Name == key || o.ID == key)
	}
	return mentions
}
