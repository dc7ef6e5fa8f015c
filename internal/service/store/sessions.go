package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"
)

// Session is one session of the agent.
type Session struct {
	ID           string
	UserID       string // whose session
	Title        string // "": none
	Status       string // idle, pending or running
	MessageCount int64
	CreatedAt    time.Time
	UpdatedAt    time.Time
	CompletedAt  time.Time // zero: not completed
	ComputerID   string    // "": none
	Settings     string    // a JSON object
}

// SessionQuery selects sessions; zero fields do not restrict.
type SessionQuery struct {
	UserID     string
	ComputerID string
	Before     *SessionKey // only sessions that follow this one in the order
	Limit      int
}

// SessionKey is a place in the order of sessions.
type SessionKey struct {
	UpdatedAt int64 // Unix milliseconds
	ID        string
}

const sessionColumns = `id, user_id, title, status, message_count, created_at, updated_at, completed_at, computer_id, settings`

func scanSession(row scanner) (Session, error) {
	var s Session
	var created, updated, completed sql.NullInt64
	err := row.Scan(&s.ID, &s.UserID, &s.Title, &s.Status, &s.MessageCount, &created, &updated, &completed, &s.ComputerID, &s.Settings)
	s.CreatedAt, s.UpdatedAt, s.CompletedAt = fromMillis(created), fromMillis(updated), fromMillis(completed)
	return s, err
}

// Sessions returns the selected sessions, latest update first, ids descending.
func (s *Store) Sessions(ctx context.Context, q SessionQuery) ([]Session, error) {
	where, args := []string{"true"}, []any{}
	if q.UserID != "" {
		where, args = append(where, "user_id = ?"), append(args, q.UserID)
	}
	if q.ComputerID != "" {
		where, args = append(where, "computer_id = ?"), append(args, q.ComputerID)
	}
	if q.Before != nil {
		where, args = append(where, "(updated_at, id) < (?, ?)"), append(args, q.Before.UpdatedAt, q.Before.ID)
	}
	sessions, err := collect(ctx, s.read, scanSession, `SELECT `+sessionColumns+` FROM sessions
		WHERE `+strings.Join(where, " AND ")+` ORDER BY updated_at DESC, id DESC LIMIT ?`, append(args, q.Limit)...)
	if err != nil {
		return nil, fmt.Errorf("read sessions: %w", err)
	}
	return sessions, nil
}

// Session returns one session, ErrNotFound if there is none.
func (s *Store) Session(ctx context.Context, id string) (Session, error) {
	one, err := scanSession(s.read.QueryRowContext(ctx, `SELECT `+sessionColumns+` FROM sessions WHERE id = ?`, id))
	if err != nil {
		return Session{}, fmt.Errorf("read session %s: %w", id, missing(err))
	}
	return one, nil
}

// UpdateSettings replaces the settings of a session by what merge makes of the stored
// session and returns the session. Nothing is stored when merge fails or changes
// nothing. The update time always moves forward. ErrNotFound if there is no session.
func (s *Store) UpdateSettings(ctx context.Context, id string, now time.Time, merge func(Session) (string, error)) (Session, error) {
	var one Session
	err := s.update(ctx, func(ctx context.Context, tx *sql.Tx) (err error) {
		one, err = scanSession(tx.QueryRowContext(ctx, `SELECT `+sessionColumns+` FROM sessions WHERE id = ?`, id))
		if err != nil {
			return missing(err)
		}
		settings, err := merge(one)
		if err != nil || settings == one.Settings {
			return err
		}
		if now = now.UTC().Truncate(time.Millisecond); !now.After(one.UpdatedAt) {
			now = one.UpdatedAt.Add(time.Millisecond)
		}
		one.Settings, one.UpdatedAt = settings, now
		_, err = tx.ExecContext(ctx, `UPDATE sessions SET settings = ?, updated_at = ? WHERE id = ?`, settings, millis(now), id)
		return err
	})
	if err != nil {
		return Session{}, fmt.Errorf("change session %s: %w", id, err)
	}
	return one, nil
}

// AddSessions stores sessions, all or none; ErrExists if an id is taken.
func (s *Store) AddSessions(ctx context.Context, sessions []Session) error {
	err := s.update(ctx, func(ctx context.Context, tx *sql.Tx) error { return insertSessions(ctx, tx, sessions) })
	if err != nil {
		return fmt.Errorf("add sessions: %w", err)
	}
	return nil
}

func insertSessions(ctx context.Context, tx *sql.Tx, sessions []Session) error {
	for _, one := range sessions {
		if one.Settings == "" {
			one.Settings = "{}"
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO sessions (`+sessionColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			one.ID, one.UserID, one.Title, one.Status, one.MessageCount,
			millis(one.CreatedAt), millis(one.UpdatedAt), millis(one.CompletedAt), one.ComputerID, one.Settings)
		if err != nil {
			return fmt.Errorf("session %s: %w", one.ID, exists(err))
		}
	}
	return nil
}
