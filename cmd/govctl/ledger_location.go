package main

import (
	"context"
	"errors"
	"os"

	"github.com/govctl/govctl/internal/config"
	"github.com/govctl/govctl/internal/ledger"
)

// ledgerAt finds the ledger of a project: flag, environment, configuration. Only the
// configuration's path is relative to the project, and only the environment may hold a
// password: everybody on the machine sees the arguments of a process.
func (a *app) ledgerAt(p *config.Project) (ledger.Location, error) {
	if a.flags.ledger != "" {
		return argument(a.flags.ledger)
	}
	if url := os.Getenv("GOVCTL_LEDGER"); url != "" {
		return ledger.Locate(url, "")
	}
	return ledger.Locate(p.Ledger.URL, p.Dir)
}

// argument reads the URL of a ledger from the command line.
func argument(url string) (ledger.Location, error) {
	at, err := ledger.Locate(url, "")
	if err == nil && at.HasPassword() {
		err = &hinted{errors.New("the ledger URL on the command line contains a password"),
			"put the URL into GOVCTL_LEDGER, or the password into PGPASSWORD or a file that PGPASSFILE names"}
	}
	return at, err
}

// openLedger opens the ledger of a project for appending and takes its lock.
func (a *app) openLedger(ctx context.Context, p *config.Project) (*ledger.Journal, error) {
	at, err := a.ledgerAt(p)
	if err != nil {
		return nil, err
	}
	j, err := at.Open(ctx, ledger.Options{Now: a.now})
	var locked *ledger.LockedError
	if errors.As(err, &locked) && locked.ID != "" {
		err = &hinted{err, "wait for it; if its holder is gone for good, the lock expires by itself, or: govctl ledger unlock --force " + locked.ID}
	}
	return j, err
}
