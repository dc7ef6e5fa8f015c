package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Organization is the one organization of a database.
type Organization struct {
	ID        string
	Name      string
	CreatedAt time.Time // required
}

// Organization returns the organization, ErrNotFound for an empty database.
func (s *Store) Organization(ctx context.Context) (Organization, error) {
	var o Organization
	var at sql.NullInt64
	err := s.read.QueryRowContext(ctx, `SELECT id, name, created_at FROM organization`).Scan(&o.ID, &o.Name, &at)
	if err != nil {
		return Organization{}, fmt.Errorf("read organization: %w", missing(err))
	}
	o.CreatedAt = fromMillis(at)
	return o, nil
}

// CreateOrganization names the organization of an empty database; ErrExists if there is one.
func (s *Store) CreateOrganization(ctx context.Context, o Organization) error {
	err := s.update(ctx, func(ctx context.Context, tx *sql.Tx) error { return insertOrganization(ctx, tx, o) })
	if err != nil {
		return fmt.Errorf("create organization %s: %w", o.ID, err)
	}
	return nil
}

func insertOrganization(ctx context.Context, tx *sql.Tx, o Organization) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO organization (only_one, id, name, created_at) VALUES (1, ?, ?, ?)`,
		o.ID, o.Name, millis(o.CreatedAt))
	return exists(err)
}

// Seed is the whole content of an organization, for filling an empty database.
type Seed struct {
	Organization Organization
	Users        []User
	Computers    []Computer
	Revisions    []Revision // revision numbers are 1, 2, 3 … in this order
	Sessions     []Session
	Messages     []Message
	Reports      []Report
	Spans        []Span `json:"-"` // without ids: nobody can repeat them
}

// Plant fills an empty database in one transaction: after a crash it is still empty.
// ErrExists if it has an organization already.
func (s *Store) Plant(ctx context.Context, seed Seed) error {
	err := s.update(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := insertOrganization(ctx, tx, seed.Organization); err != nil {
			return err
		}
		if err := insertUsers(ctx, tx, seed.Users); err != nil {
			return err
		}
		for _, c := range seed.Computers {
			if _, err := insertComputer(ctx, tx, c); err != nil {
				return err
			}
		}
		for _, r := range seed.Revisions {
			if _, err := insertRevision(ctx, tx, r); err != nil {
				return err
			}
		}
		if err := insertSessions(ctx, tx, seed.Sessions); err != nil {
			return err
		}
		if err := insertMessages(ctx, tx, seed.Messages); err != nil {
			return err
		}
		if _, err := insertReports(ctx, tx, seed.Reports); err != nil {
			return err
		}
		return plantSpans(ctx, tx, seed.Spans)
	})
	if err != nil {
		return fmt.Errorf("fill database: %w", err)
	}
	return nil
}
