package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/ledger"
)

func (a *app) ledgerCompactCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "compact [DIR]",
		Short: "Remove records that no longer say anything",
		Long: `Compact removes requests whose limits were all confirmed again since, or never set.
What is known does not change; the history of those requests is gone. Open
intentions, computers and sessions stay. A plan saved before is stale.`,
		Example: "  govctl ledger compact examples/quickstart",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return a.runLedgerCompact(c.Context(), args)
		},
	}
}

func (a *app) runLedgerCompact(ctx context.Context, args []string) error {
	p, err := a.projectDir(args)
	if err != nil {
		return err
	}
	j, err := a.openLedger(ctx, p)
	if err != nil {
		return err
	}
	removed, err := j.Compact(ctx)
	if err != nil {
		return errors.Join(err, j.Close())
	}
	fmt.Fprintf(a.out, "Compacted: %d records removed, %d left; what is known is the same.\n", removed, len(j.Log().Records()))
	return j.Close()
}

func (a *app) ledgerUnlockCommand() *cobra.Command {
	var force string
	c := &cobra.Command{
		Use:   "unlock [DIR]",
		Short: "Take the lock of a shared ledger away from a holder that is gone",
		Long: `Unlock frees a shared ledger whose holder died, before its lock expires. A holder
that still lives can write nothing more, so what it sends from then on is unknown.

The lock of a file cannot be taken away and need not be: the operating system gives
it back when its process ends.`,
		Example: "  govctl ledger unlock --force 12 --ledger postgres://db.example.com/govctl",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return a.runLedgerUnlock(c.Context(), args, force)
		},
	}
	c.Flags().StringVar(&force, "force", "", "ID of the lock, as the message says it; do not ask")
	return c
}

func (a *app) runLedgerUnlock(ctx context.Context, args []string, force string) error {
	_, at, err := a.ledgerOf(args)
	if err != nil {
		return err
	}
	held, err := at.Lock(ctx)
	switch {
	case err != nil:
		return err
	case held == nil:
		fmt.Fprintf(a.out, "Ledger %s is not locked.\n", at)
		return nil
	case !at.Shared():
		return &hinted{held, "end that process; the operating system then gives the lock back"}
	}
	if force == "" {
		if force, err = a.confirmUnlock(held); err != nil {
			return err
		}
	}
	done, err := at.Unlock(ctx, force)
	if err != nil {
		return err
	}
	if !done {
		return fmt.Errorf("lock %s is not the one that is held: %w", force, held)
	}
	fmt.Fprintf(a.out, "Unlocked: lock %s of ledger %s is free.\n", force, at)
	return nil
}

// confirmUnlock asks for the full word and returns the ID of the lock.
func (a *app) confirmUnlock(held *ledger.LockedError) (string, error) {
	if !a.interactive() {
		return "", &hinted{held, "nobody can be asked here; if its holder is gone for good: govctl ledger unlock --force " + held.ID}
	}
	yes, err := a.ask(fmt.Sprintf("%s.\nIs its holder gone for good?", held))
	if err == nil && !yes {
		err = &refusal{err: errors.New("not confirmed; the lock is as it was")}
	}
	return held.ID, err
}
