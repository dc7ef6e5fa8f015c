package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// SessionState is what all spans say about a session.
type SessionState struct {
	First    Day  // of its first span
	HasStart bool // it has a start span on some day, also one that resumes
}

// startsOn is the day on which a session counts as started because nothing says when it
// did: that of its first span (F32). known is false when a start span says so.
func (s SessionState) startsOn() (day Day, known bool) { return s.First, !s.HasStart }

func (s SessionState) with(o SessionState) SessionState {
	return SessionState{First: min(s.First, o.First), HasStart: s.HasStart || o.HasStart}
}

// noteSessions updates what is known of the sessions of new spans. A late span may change
// on which day a session starts, or that a day was right to count it: these days become
// dirty unless they are sealed.
func noteSessions(ctx context.Context, tx *sql.Tx, spans []*Span, open Day, dirty map[Day]bool) (err error) {
	seen := map[string]SessionState{}
	for _, sp := range spans {
		one := SessionState{First: dayOfNanos(sp.Start), HasStart: sp.Kind == SpanSessionStart}
		if had, ok := seen[sp.SessionID]; ok {
			one = one.with(had)
		}
		seen[sp.SessionID] = one
	}
	add, err := tx.PrepareContext(ctx, `INSERT INTO span_sessions (id, first_day, has_start) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, add.Close()) }()
	for id, now := range seen {
		res, err := add.ExecContext(ctx, id, int64(now.First), now.HasStart)
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		if err == nil && n == 0 {
			err = changeSession(ctx, tx, id, now, open, dirty)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func changeSession(ctx context.Context, tx *sql.Tx, id string, now SessionState, open Day, dirty map[Day]bool) error {
	var had SessionState
	err := tx.QueryRowContext(ctx, `SELECT first_day, has_start FROM span_sessions WHERE id = ?`, id).Scan(&had.First, &had.HasStart)
	if err != nil {
		return err
	}
	if now = now.with(had); now == had {
		return nil
	}
	if day, known := had.startsOn(); known && day >= open {
		dirty[day] = true
	}
	_, err = tx.ExecContext(ctx, `UPDATE span_sessions SET first_day = ?, has_start = ? WHERE id = ?`, int64(now.First), now.HasStart, id)
	return err
}

// SessionStates returns what is known of sessions; those nobody knows are missing.
func (s *Store) SessionStates(ctx context.Context, ids []string) (map[string]SessionState, error) {
	states := make(map[string]SessionState, len(ids))
	err := s.each(ctx, `SELECT first_day, has_start FROM span_sessions WHERE id = ?`, ids, func(id string, row scanner) error {
		var one SessionState
		err := row.Scan(&one.First, &one.HasStart)
		if err == nil {
			states[id] = one
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read session states: %w", err)
	}
	return states, nil
}

// Emails returns the addresses of those of the users who are members.
func (s *Store) Emails(ctx context.Context, ids []string) (map[string]string, error) {
	emails := make(map[string]string, len(ids))
	err := s.each(ctx, `SELECT email FROM users WHERE id = ? AND removed_at IS NULL`, ids, func(id string, row scanner) error {
		var email string
		err := row.Scan(&email)
		if err == nil {
			emails[id] = email
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read addresses: %w", err)
	}
	return emails, nil
}

// each runs a query of one parameter and at most one row for many ids.
func (s *Store) each(ctx context.Context, query string, ids []string, one func(id string, row scanner) error) (err error) {
	st, err := s.read.PrepareContext(ctx, query)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	for _, id := range ids {
		if err := one(id, st.QueryRowContext(ctx, id)); err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
	}
	return nil
}
