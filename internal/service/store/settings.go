package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Actor is who changed the settings.
type Actor struct {
	ID    string
	Email string
	Name  string
}

// Revision is one state of the enterprise controls.
type Revision struct {
	Number    int64  // 1, 2, 3 … without gaps
	Settings  string // a JSON object: the full snapshot after the change
	Actor     Actor
	UpdatedAt time.Time
}

// AddRevision appends a settings snapshot and returns its number. Settings must be one
// JSON object; it is kept as written, without insignificant space.
func (s *Store) AddRevision(ctx context.Context, settings json.RawMessage, by Actor, at time.Time) (int64, error) {
	text, err := compactObject(settings)
	if err != nil {
		return 0, fmt.Errorf("add settings revision: %w", err)
	}
	var n int64
	err = s.update(ctx, func(ctx context.Context, tx *sql.Tx) (err error) {
		n, err = insertRevision(ctx, tx, Revision{Settings: text, Actor: by, UpdatedAt: at})
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("add settings revision: %w", err)
	}
	return n, nil
}

// compactObject is one JSON object as written, without insignificant space.
func compactObject(raw json.RawMessage) (string, error) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, raw); err != nil {
		return "", err
	}
	if compact.Bytes()[0] != '{' {
		return "", errors.New("settings are not a JSON object")
	}
	return compact.String(), nil
}

func insertRevision(ctx context.Context, tx *sql.Tx, r Revision) (int64, error) {
	var n int64
	err := tx.QueryRowContext(ctx, `INSERT INTO revisions (revision, settings, actor_id, actor_email, actor_name, updated_at)
		SELECT coalesce(max(revision), 0) + 1, ?, ?, ?, ?, ? FROM revisions RETURNING revision`,
		r.Settings, r.Actor.ID, r.Actor.Email, r.Actor.Name, millis(r.UpdatedAt)).Scan(&n)
	return n, err
}

// Revisions returns up to limit revisions with a number below before (0: from the
// newest), newest first.
func (s *Store) Revisions(ctx context.Context, before int64, limit int) ([]Revision, error) {
	revisions, err := collect(ctx, s.read, scanRevision, `SELECT revision, settings, actor_id, actor_email, actor_name, updated_at
		FROM revisions WHERE revision < ?1 OR ?1 = 0 ORDER BY revision DESC LIMIT ?2`, before, limit)
	if err != nil {
		return nil, fmt.Errorf("read settings history: %w", err)
	}
	return revisions, nil
}

func scanRevision(row scanner) (Revision, error) {
	var r Revision
	var at sql.NullInt64
	err := row.Scan(&r.Number, &r.Settings, &r.Actor.ID, &r.Actor.Email, &r.Actor.Name, &at)
	r.UpdatedAt = fromMillis(at)
	return r, err
}
