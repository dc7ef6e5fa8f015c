package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"time"
)

// serviceSecretBytes is the length of a secret of the service: as long as the SHA-256
// it keys.
const serviceSecretBytes = 32

// Secret returns a secret of the service itself, 32 random bytes; ErrNotFound when it
// was never made.
func (s *Store) Secret(ctx context.Context, name string) ([]byte, error) {
	var value []byte
	err := s.read.QueryRowContext(ctx, `SELECT value FROM secrets WHERE name = ?`, name).Scan(&value)
	if err != nil {
		return nil, fmt.Errorf("read secret %s: %w", name, missing(err))
	}
	return value, nil
}

// EnsureSecret returns a secret of the service and makes it on first use. Everybody who
// asks gets the same one, also when two processes ask for the first time together.
func (s *Store) EnsureSecret(ctx context.Context, name string, now time.Time) ([]byte, error) {
	return s.putSecret(ctx, name, `INSERT INTO secrets (name, value, created_at) VALUES (?1, ?2, ?3)
		ON CONFLICT (name) DO UPDATE SET value = secrets.value RETURNING value`, now)
}

// ReplaceSecret makes a secret of the service anew: whatever was signed with the old one
// is worth nothing afterwards.
func (s *Store) ReplaceSecret(ctx context.Context, name string, now time.Time) error {
	_, err := s.putSecret(ctx, name, `INSERT INTO secrets (name, value, created_at) VALUES (?1, ?2, ?3)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value, created_at = excluded.created_at RETURNING value`, now)
	return err
}

func (s *Store) putSecret(ctx context.Context, name, query string, now time.Time) ([]byte, error) {
	fresh := make([]byte, serviceSecretBytes)
	_, _ = rand.Read(fresh) // never fails: crypto/rand stops the process instead
	var value []byte
	err := s.update(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, query, name, fresh, millis(now)).Scan(&value)
	})
	if err != nil {
		return nil, fmt.Errorf("make secret %s: %w", name, err)
	}
	return value, nil
}
