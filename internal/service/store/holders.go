package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Holder finds who a key belongs to, by its prefix alone: for somebody who has shown the
// whole key before. ErrNotFound when Authenticate would refuse the key now.
func (s *Store) Holder(ctx context.Context, prefix string, now time.Time) (Principal, error) {
	p, _, err := s.holder(ctx, prefix, now)
	return p, err
}

// holder returns the principal of a key that is in force, and the hash of its text.
func (s *Store) holder(ctx context.Context, prefix string, now time.Time) (Principal, []byte, error) {
	p := Principal{Key: prefix}
	var hash []byte
	var own sql.Null[Role]
	err := s.read.QueryRowContext(ctx, `SELECT k.hash, coalesce(k.user_id, ''), k.role, u.role
		FROM keys k LEFT JOIN users u ON u.id = k.user_id AND u.removed_at IS NULL
		WHERE k.prefix = ? AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ?)`,
		prefix, now.UnixMilli()).Scan(&hash, &p.UserID, &p.Role, &own)
	switch {
	case err != nil:
		return Principal{}, nil, missing(err)
	case p.UserID != "" && !own.Valid:
		return Principal{}, nil, ErrNotFound
	case own.Valid:
		p.Role = p.Role.Within(own.V)
	}
	return p, hash, nil
}

// HeldKey is a key with the address of the member it belongs to.
type HeldKey struct {
	Key
	Email  string // "" for a service account
	Former bool   // the member has left: the key no longer opens anything
}

// HeldKeys returns up to limit keys, newest first: all of them, or those of one member.
func (s *Store) HeldKeys(ctx context.Context, userID string, limit int) ([]HeldKey, error) {
	keys, err := collect(ctx, s.read, scanHeldKey, `SELECT k.prefix, k.name, coalesce(k.user_id, ''), k.role, k.created_at,
			k.expires_at, k.revoked_at, coalesce(u.email, ''), u.removed_at IS NOT NULL
		FROM keys k LEFT JOIN users u ON u.id = k.user_id
		WHERE ?1 = '' OR k.user_id = ?1 ORDER BY k.created_at DESC, k.prefix LIMIT ?2`, userID, limit)
	if err != nil {
		return nil, fmt.Errorf("read API keys: %w", err)
	}
	return keys, nil
}

// KeyByPrefix returns one key, also a revoked one; ErrNotFound if there is none.
func (s *Store) KeyByPrefix(ctx context.Context, prefix string) (Key, error) {
	k, err := scanKey(s.read.QueryRowContext(ctx, `SELECT prefix, name, coalesce(user_id, ''), role, created_at, expires_at, revoked_at
		FROM keys WHERE prefix = ?`, prefix))
	if err != nil {
		return Key{}, fmt.Errorf("read API key %s: %w", prefix, missing(err))
	}
	return k, nil
}

func scanHeldKey(row scanner) (HeldKey, error) {
	var k HeldKey
	var created, expires, revoked sql.NullInt64
	err := row.Scan(&k.Prefix, &k.Name, &k.UserID, &k.Role, &created, &expires, &revoked, &k.Email, &k.Former)
	k.CreatedAt, k.ExpiresAt, k.RevokedAt = fromMillis(created), fromMillis(expires), fromMillis(revoked)
	return k, err
}
