package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// The states of a session, in the order in which it goes through them again and again.
const (
	SessionIdle    = "idle"
	SessionPending = "pending" // asked to run
	SessionRunning = "running"
)

// nextStatus is what a session in a state becomes (U30).
func nextStatus(status string) string {
	switch status {
	case SessionIdle:
		return SessionPending
	case SessionPending:
		return SessionRunning
	}
	return SessionIdle
}

// SetSessionStatus moves a session on to the state that follows its own and returns the
// session; any other state is refused. One that has run is completed at that moment, one
// that is asked to run again no longer is. The update time always moves forward.
// ErrNotFound if there is no session.
func (s *Store) SetSessionStatus(ctx context.Context, id, status string, now time.Time) (Session, error) {
	var one Session
	err := s.update(ctx, func(ctx context.Context, tx *sql.Tx) (err error) {
		one, err = scanSession(tx.QueryRowContext(ctx, `SELECT `+sessionColumns+` FROM sessions WHERE id = ?`, id))
		if err != nil {
			return missing(err)
		}
		if next := nextStatus(one.Status); status != next {
			return fmt.Errorf("it is %s and can only become %s, not %s", one.Status, next, status)
		}
		if now = now.UTC().Truncate(time.Millisecond); !now.After(one.UpdatedAt) {
			now = one.UpdatedAt.Add(time.Millisecond)
		}
		one.Status, one.UpdatedAt = status, now
		switch status {
		case SessionIdle:
			one.CompletedAt = now
		case SessionPending:
			one.CompletedAt = time.Time{}
		}
		_, err = tx.ExecContext(ctx, `UPDATE sessions SET status = ?, updated_at = ?, completed_at = ? WHERE id = ?`,
			one.Status, millis(one.UpdatedAt), millis(one.CompletedAt), id)
		return err
	})
	if err != nil {
		return Session{}, fmt.Errorf("change session %s: %w", id, err)
	}
	return one, nil
}
