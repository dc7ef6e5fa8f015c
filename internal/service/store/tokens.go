package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// RevokeToken remembers until a time that a token was taken back, and forgets the tokens
// whose time has come. To revoke one again changes nothing.
func (s *Store) RevokeToken(ctx context.Context, id string, until, now time.Time) error {
	err := s.update(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM revoked_tokens WHERE expires_at <= ?`, millis(now)); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO revoked_tokens (id, revoked_at, expires_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
			id, millis(now), millis(until))
		return err
	})
	if err != nil {
		return fmt.Errorf("revoke token %s: %w", id, err)
	}
	return nil
}

// TokenRevoked reports whether a token was taken back. What it says of a token after its
// time means nothing.
func (s *Store) TokenRevoked(ctx context.Context, id string) (bool, error) {
	var n int64
	if err := s.read.QueryRowContext(ctx, `SELECT count(*) FROM revoked_tokens WHERE id = ?`, id).Scan(&n); err != nil {
		return false, fmt.Errorf("look for token %s: %w", id, err)
	}
	return n > 0, nil
}
