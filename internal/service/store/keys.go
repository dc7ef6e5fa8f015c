package store

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"database/sql"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// An API key is gk_<prefix>_<secret> in lower-case base32: 40 bits that find the row and
// 160 random bits. Keys are too random to guess, so a fast hash of them is enough.
const (
	keyScheme   = "gk"
	prefixBytes = 5
	secretBytes = 20
)

// Key describes an API key; the secret itself is not kept.
type Key struct {
	Prefix    string
	Name      string
	UserID    string // "": a service account
	Role      Role   // of a member's key: never more than the member's own role
	CreatedAt time.Time
	ExpiresAt time.Time // zero: never
	RevokedAt time.Time // zero: not revoked
}

// NewKey says which key to create.
type NewKey struct {
	Name      string
	UserID    string // whose key; "" for a service account, which then needs Role
	Role      Role   // "": the role of the member
	By        string // user id of who asks; "" for the operator of the service
	ExpiresAt time.Time
}

// Principal is who a request comes from.
type Principal struct {
	Key    string // prefix of the key
	UserID string // "" for a service account
	Role   Role
}

// CreateKey creates a key and returns its text, which cannot be read again. ErrRestricted
// when the newest settings leave key creation to managers and By is none; ErrNotFound
// when a user does not exist.
func (s *Store) CreateKey(ctx context.Context, n NewKey, now time.Time) (string, Key, error) {
	text, prefix := newKeyText()
	k := Key{Prefix: prefix, Name: n.Name, UserID: n.UserID, Role: n.Role, CreatedAt: now, ExpiresAt: n.ExpiresAt}
	err := s.update(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := mayCreateKey(ctx, tx, n.By); err != nil {
			return err
		}
		if k.UserID != "" {
			own, err := roleOf(ctx, tx, k.UserID)
			if err != nil {
				return fmt.Errorf("user %s: %w", k.UserID, err)
			}
			if k.Role == "" {
				k.Role = own
			}
		}
		if k.Role == "" {
			return errors.New("a service account needs a role")
		}
		hash := sha256.Sum256([]byte(text))
		_, err := tx.ExecContext(ctx, `INSERT INTO keys (prefix, hash, name, user_id, role, created_at, expires_at)
			VALUES (?, ?, ?, nullif(?, ''), ?, ?, ?)`,
			k.Prefix, hash[:], k.Name, k.UserID, k.Role, millis(k.CreatedAt), millis(k.ExpiresAt))
		return exists(err)
	})
	if err != nil {
		return "", Key{}, fmt.Errorf("create API key: %w", err)
	}
	return text, k, nil
}

func newKeyText() (text, prefix string) {
	b := make([]byte, prefixBytes+secretBytes)
	_, _ = rand.Read(b) // never fails: crypto/rand stops the process instead
	enc := base32.StdEncoding.WithPadding(base32.NoPadding)
	prefix = strings.ToLower(enc.EncodeToString(b[:prefixBytes]))
	return keyScheme + "_" + prefix + "_" + strings.ToLower(enc.EncodeToString(b[prefixBytes:])), prefix
}

// mayCreateKey applies the setting restrictApiKeyCreationToManagers.
func mayCreateKey(ctx context.Context, tx *sql.Tx, by string) error {
	if by == "" {
		return nil
	}
	role, err := roleOf(ctx, tx, by)
	if err != nil {
		return fmt.Errorf("user %s: %w", by, err)
	}
	restricted, err := keysRestricted(ctx, tx)
	if err == nil && (role == Guest || restricted && !role.Manages()) {
		err = ErrRestricted
	}
	return err
}

// keysRestricted reads restrictApiKeyCreationToManagers, which is off unless it is true.
func keysRestricted(ctx context.Context, tx *sql.Tx) (bool, error) {
	var newest string
	err := tx.QueryRowContext(ctx, `SELECT settings FROM revisions ORDER BY revision DESC LIMIT 1`).Scan(&newest)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	settings := map[string]json.RawMessage{}
	err = json.Unmarshal([]byte(newest), &settings)
	return string(settings["restrictApiKeyCreationToManagers"]) == "true", err
}

func roleOf(ctx context.Context, tx *sql.Tx, user string) (Role, error) {
	var r Role
	err := tx.QueryRowContext(ctx, `SELECT role FROM users WHERE id = ? AND removed_at IS NULL`, user).Scan(&r)
	return r, missing(err)
}

// Authenticate finds who presents the key text; ErrNotFound for a key that is unknown,
// revoked, expired or of somebody who is no longer a member.
func (s *Store) Authenticate(ctx context.Context, text string, now time.Time) (Principal, error) {
	parts := strings.Split(text, "_")
	if len(parts) != 3 || parts[0] != keyScheme {
		return Principal{}, ErrNotFound
	}
	p, hash, err := s.holder(ctx, parts[1], now)
	if err != nil {
		return Principal{}, err
	}
	sum := sha256.Sum256([]byte(text))
	if subtle.ConstantTimeCompare(sum[:], hash) != 1 {
		return Principal{}, ErrNotFound
	}
	return p, nil
}

// RevokeKey ends a key for good; ErrNotFound if it does not exist or is revoked already.
func (s *Store) RevokeKey(ctx context.Context, prefix string, now time.Time) error {
	err := s.update(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return changedOne(tx.ExecContext(ctx, `UPDATE keys SET revoked_at = ? WHERE prefix = ? AND revoked_at IS NULL`, millis(now), prefix))
	})
	if err != nil {
		return fmt.Errorf("revoke API key %s: %w", prefix, err)
	}
	return nil
}

// Keys returns every key that was created, also revoked ones, oldest first.
func (s *Store) Keys(ctx context.Context) ([]Key, error) {
	keys, err := collect(ctx, s.read, scanKey, `SELECT prefix, name, coalesce(user_id, ''), role, created_at, expires_at, revoked_at
		FROM keys ORDER BY created_at, prefix`)
	if err != nil {
		return nil, fmt.Errorf("read API keys: %w", err)
	}
	return keys, nil
}

func scanKey(row scanner) (Key, error) {
	var k Key
	var created, expires, revoked sql.NullInt64
	err := row.Scan(&k.Prefix, &k.Name, &k.UserID, &k.Role, &created, &expires, &revoked)
	k.CreatedAt, k.ExpiresAt, k.RevokedAt = fromMillis(created), fromMillis(expires), fromMillis(revoked)
	return k, err
}
