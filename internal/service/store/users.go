package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// Role is what a member may do; roles are ordered, see Within.
type Role string

// The roles of an organization, strongest first.
const (
	Owner   Role = "owner"
	Manager Role = "manager"
	Member  Role = "member"
	Guest   Role = "guest"
)

func (r Role) rank() int {
	switch r {
	case Owner:
		return 3
	case Manager:
		return 2
	case Member:
		return 1
	}
	return 0
}

// Manages reports whether r is Manager or Owner.
func (r Role) Manages() bool { return r.rank() >= Manager.rank() }

// Within returns the weaker of r and limit.
func (r Role) Within(limit Role) Role {
	if limit.rank() < r.rank() {
		return limit
	}
	return r
}

// User is a member of the organization.
type User struct {
	ID           string // made from a UUID when empty
	Email        string
	FirstName    string
	LastName     string
	Role         Role      // Member when empty
	Metadata     string    // a JSON object, {} when empty
	CreatedAt    time.Time // required; to the millisecond
	LastSignInAt time.Time // zero: never
}

// FoldEmail makes the key of an address: ASCII letters lowered, everything else as it
// is, because Unicode folding would merge different people.
func FoldEmail(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

const userColumns = `id, email, first_name, last_name, role, metadata, created_at, last_sign_in_at`

func scanUser(row scanner) (User, error) {
	var u User
	var created, seen sql.NullInt64
	err := row.Scan(&u.ID, &u.Email, &u.FirstName, &u.LastName, &u.Role, &u.Metadata, &created, &seen)
	u.CreatedAt, u.LastSignInAt = fromMillis(created), fromMillis(seen)
	return u, err
}

// Users returns up to limit active members whose id is greater than after, ids ascending.
func (s *Store) Users(ctx context.Context, after string, limit int) ([]User, error) {
	users, err := collect(ctx, s.read, scanUser, `SELECT `+userColumns+` FROM users
		WHERE id > ? AND removed_at IS NULL ORDER BY id LIMIT ?`, after, limit)
	if err != nil {
		return nil, fmt.Errorf("read users: %w", err)
	}
	return users, nil
}

// User returns one active member, ErrNotFound if there is none.
func (s *Store) User(ctx context.Context, id string) (User, error) {
	u, err := scanUser(s.read.QueryRowContext(ctx, `SELECT `+userColumns+` FROM users
		WHERE id = ? AND removed_at IS NULL`, id))
	if err != nil {
		return User{}, fmt.Errorf("read user %s: %w", id, missing(err))
	}
	return u, nil
}

// UserByEmail returns the active member with this address in any ASCII case.
func (s *Store) UserByEmail(ctx context.Context, email string) (User, error) {
	u, err := scanUser(s.read.QueryRowContext(ctx, `SELECT `+userColumns+` FROM users
		WHERE folded = ? AND removed_at IS NULL`, FoldEmail(email)))
	if err != nil {
		return User{}, fmt.Errorf("read user %s: %w", email, missing(err))
	}
	return u, nil
}

// AddUser adds a member and returns it with its id and defaults; ErrExists when the id
// or the address (in any ASCII case) is taken.
func (s *Store) AddUser(ctx context.Context, u User) (User, error) {
	u = u.complete()
	return u, s.AddUsers(ctx, []User{u})
}

// AddUsers adds members, all or none.
func (s *Store) AddUsers(ctx context.Context, users []User) error {
	err := s.update(ctx, func(ctx context.Context, tx *sql.Tx) error { return insertUsers(ctx, tx, users) })
	if err != nil {
		return fmt.Errorf("add users: %w", err)
	}
	return nil
}

func (u User) complete() User {
	if u.ID == "" {
		u.ID = "usr_" + uuid.Must(uuid.NewV7()).String()
	}
	if u.Role == "" {
		u.Role = Member
	}
	if u.Metadata == "" {
		u.Metadata = "{}"
	}
	return u
}

func insertUsers(ctx context.Context, tx *sql.Tx, users []User) (err error) {
	st, err := tx.PrepareContext(ctx, `INSERT INTO users (`+userColumns+`, folded) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	for _, u := range users {
		u = u.complete()
		_, err := st.ExecContext(ctx, u.ID, u.Email, u.FirstName, u.LastName, u.Role, u.Metadata,
			millis(u.CreatedAt), millis(u.LastSignInAt), FoldEmail(u.Email))
		if err != nil {
			return fmt.Errorf("user %s: %w", u.Email, exists(err))
		}
	}
	return nil
}

// RemoveUser ends a membership: the member leaves every list, the keys of the member stop
// working and the limit is forgotten. Sessions stay.
func (s *Store) RemoveUser(ctx context.Context, id string, at time.Time) error {
	err := s.update(ctx, func(ctx context.Context, tx *sql.Tx) error {
		err := changedOne(tx.ExecContext(ctx, `UPDATE users SET removed_at = ? WHERE id = ? AND removed_at IS NULL`, millis(at), id))
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM limits WHERE user_seq = (SELECT seq FROM users WHERE id = ?)`, id)
		return err
	})
	if err != nil {
		return fmt.Errorf("remove user %s: %w", id, err)
	}
	return nil
}

// ChangeEmail gives an active member another address; ErrExists if it is taken.
func (s *Store) ChangeEmail(ctx context.Context, id, email string) error {
	return s.setUser(ctx, id, `UPDATE users SET email = ?2, folded = ?3 WHERE id = ?1 AND removed_at IS NULL`, email, FoldEmail(email))
}

// ChangeRole gives an active member another role.
func (s *Store) ChangeRole(ctx context.Context, id string, role Role) error {
	return s.setUser(ctx, id, `UPDATE users SET role = ?2 WHERE id = ?1 AND removed_at IS NULL`, role)
}

func (s *Store) setUser(ctx context.Context, id, query string, args ...any) error {
	err := s.update(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return changedOne(tx.ExecContext(ctx, query, append([]any{id}, args...)...))
	})
	if err != nil {
		return fmt.Errorf("change user %s: %w", id, err)
	}
	return nil
}
