package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/google/uuid"
)

// ParseRole reads the name of a role.
func ParseRole(name string) (Role, error) {
	switch r := Role(name); r {
	case Owner, Manager, Member, Guest:
		return r, nil
	}
	return "", fmt.Errorf("role %q is not owner, manager, member or guest", name)
}

// Counts says how much an organization has.
type Counts struct {
	Users, Keys, Limits, Computers, Sessions, Messages, Revisions, Reports int64
}

// Counts counts active members, keys that are not revoked, and everything else.
func (s *Store) Counts(ctx context.Context) (Counts, error) {
	var c Counts
	err := s.read.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM users WHERE removed_at IS NULL),
		(SELECT count(*) FROM keys WHERE revoked_at IS NULL), (SELECT count(*) FROM limits),
		(SELECT count(*) FROM computers), (SELECT count(*) FROM sessions), (SELECT count(*) FROM messages),
		(SELECT count(*) FROM revisions), (SELECT count(*) FROM readiness_reports)`).
		Scan(&c.Users, &c.Keys, &c.Limits, &c.Computers, &c.Sessions, &c.Messages, &c.Revisions, &c.Reports)
	if err != nil {
		return Counts{}, fmt.Errorf("count: %w", err)
	}
	return c, nil
}

// ImportUsers adds the members whose address (in any ASCII case) is new, all or none,
// and returns how many they are. Members who exist are left as they are. ErrExists when
// an id is taken.
func (s *Store) ImportUsers(ctx context.Context, users []User) (added int, err error) {
	err = s.update(ctx, func(ctx context.Context, tx *sql.Tx) error {
		have, err := collect(ctx, tx, scanText, `SELECT folded FROM users WHERE removed_at IS NULL`)
		if err != nil {
			return err
		}
		taken := make(map[string]bool, len(have))
		for _, folded := range have {
			taken[folded] = true
		}
		var missing []User
		for _, u := range users {
			if !taken[FoldEmail(u.Email)] {
				missing = append(missing, u)
			}
		}
		added = len(missing)
		return insertUsers(ctx, tx, missing)
	})
	if err != nil {
		return 0, fmt.Errorf("import users: %w", err)
	}
	return added, nil
}

func scanText(row scanner) (string, error) {
	var s string
	err := row.Scan(&s)
	return s, err
}

// ApplySettings makes a revision of a whole settings snapshot, unless the newest revision
// says the same already. It returns the number of the newest revision and whether this
// call made it.
func (s *Store) ApplySettings(ctx context.Context, settings json.RawMessage, by Actor, at time.Time) (n int64, made bool, err error) {
	text, err := compactObject(settings)
	if err != nil {
		return 0, false, fmt.Errorf("apply settings: %w", err)
	}
	err = s.update(ctx, func(ctx context.Context, tx *sql.Tx) error {
		var newest string
		err := tx.QueryRowContext(ctx, `SELECT revision, settings FROM revisions ORDER BY revision DESC LIMIT 1`).Scan(&n, &newest)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if err == nil && sameJSON(newest, text) {
			return nil
		}
		made = true
		n, err = insertRevision(ctx, tx, Revision{Settings: text, Actor: by, UpdatedAt: at})
		return err
	})
	if err != nil {
		return 0, false, fmt.Errorf("apply settings: %w", err)
	}
	return n, made, nil
}

// sameJSON compares values: neither the order of names nor the spelling of a string is
// a change.
func sameJSON(a, b string) bool {
	parse := func(text string) (v any, err error) {
		dec := json.NewDecoder(strings.NewReader(text))
		dec.UseNumber()
		err = dec.Decode(&v)
		return v, err
	}
	x, errX := parse(a)
	y, errY := parse(b)
	return errX == nil && errY == nil && reflect.DeepEqual(x, y)
}

// Revision returns one revision of the settings, the newest for number 0; ErrNotFound if
// there is none.
func (s *Store) Revision(ctx context.Context, number int64) (Revision, error) {
	r, err := scanRevision(s.read.QueryRowContext(ctx, `SELECT revision, settings, actor_id, actor_email, actor_name, updated_at
		FROM revisions WHERE revision = ?1 OR ?1 = 0 ORDER BY revision DESC LIMIT 1`, number))
	if err != nil {
		return Revision{}, fmt.Errorf("read settings revision %d: %w", number, missing(err))
	}
	return r, nil
}

// Backup writes a whole and consistent copy of the database to a new file with mode 0600
// while others read and write. The file appears only when it is complete; one that
// exists already is ErrExists. A PostgreSQL database is errors.ErrUnsupported.
func (s *Store) Backup(ctx context.Context, path string) (err error) {
	if s.postgres {
		return fmt.Errorf("back up to %s: a PostgreSQL database is backed up by pg_dump: %w", path, errors.ErrUnsupported)
	}
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("back up to %s: %w", path, ErrExists)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".govctl-backup-*") // mode 0600, and VACUUM fills an empty file
	if err != nil {
		return fmt.Errorf("back up to %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("back up to %s: %w", path, errors.Join(err, os.Remove(f.Name())))
		}
	}()
	if _, err := s.write.ExecContext(ctx, `VACUUM INTO ?`, f.Name()); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// Check looks for damage in the file and for rows that refer to nothing, and says each
// problem in a line. A sound database has none.
func (s *Store) Check(ctx context.Context) ([]string, error) {
	if s.postgres {
		problems, err := collect(ctx, s.read, scanText, checkPostgres)
		if err != nil {
			return nil, fmt.Errorf("check database: %w", err)
		}
		return problems, nil
	}
	problems, err := collect(ctx, s.read, scanText, `SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check != 'ok'`)
	if err != nil {
		return nil, fmt.Errorf("check database: %w", err)
	}
	orphans, err := collect(ctx, s.read, scanText, `SELECT "table" || ': ' || count(*) || ' rows refer to missing rows of ' || parent
		FROM pragma_foreign_key_check GROUP BY "table", parent`)
	if err != nil {
		return nil, fmt.Errorf("check database: %w", err)
	}
	return append(problems, orphans...), nil
}

// KeyPrefix is the prefix of a key, also when the whole key is given.
func KeyPrefix(text string) string {
	if parts := strings.Split(text, "_"); len(parts) == 3 && parts[0] == keyScheme {
		return parts[1]
	}
	return text
}

// NewSessionID makes the id of a session that has none.
func NewSessionID() string { return "ses_" + uuid.Must(uuid.NewV7()).String() }

// AllUsers returns every active member, ids ascending.
func (s *Store) AllUsers(ctx context.Context) ([]User, error) {
	return s.Users(ctx, "", All)
}
