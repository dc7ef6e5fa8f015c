// Package sample fills an empty database with one deterministic organization, Acme.
//
// Examples, scripts and goldens rely on its facts, so nothing in it depends on the clock
// or on chance: two loads are identical. Its times lie in 2026, and what it says about
// the state of computers does not follow the clock.
package sample

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/govctl/govctl/internal/service/store"
)

// OrganizationID is the id of the sample organization.
const OrganizationID = "org_acme"

// Organization is the sample organization itself.
func Organization() store.Organization {
	return store.Organization{ID: OrganizationID, Name: "Acme", CreatedAt: at("2026-01-05T08:00:00.000Z")}
}

// Seed is everything Load stores.
func Seed() store.Seed {
	return store.Seed{
		Organization: Organization(),
		Users:        Users(),
		Computers:    Computers(),
		Revisions:    Revisions(),
		Sessions:     Sessions(),
		Messages:     Messages(),
		Reports:      Reports(),
		Spans:        Spans(),
	}
}

// Load fills an empty database in one step. A database that has the sample organization
// already is left as it is, with whatever was changed since; one that belongs to another
// organization is an error.
func Load(ctx context.Context, s *store.Store) error {
	for {
		o, err := s.Organization(ctx)
		switch {
		case err == nil && o.ID == OrganizationID:
			return nil
		case err == nil:
			return fmt.Errorf("load sample: the database belongs to organization %s", o.ID)
		case !errors.Is(err, store.ErrNotFound):
			return fmt.Errorf("load sample: %w", err)
		}
		err = s.Plant(ctx, Seed())
		if !errors.Is(err, store.ErrExists) {
			return err
		}
		// Another process was faster: look again at what it made.
	}
}

// at reads a time written in this package.
func at(s string) time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		panic(err)
	}
	return t
}
