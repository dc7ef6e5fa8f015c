package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// SessionImport is a session with its messages, as an operator brings it in.
type SessionImport struct {
	Session   Session   // UserID may be empty when UserEmail is not
	UserEmail string    // an active member, in any ASCII case
	Messages  []Message // SessionID is filled in
}

// ImportSessions adds the sessions whose id is new, with their messages, all or none, and
// returns how many they are. Sessions that exist are left as they are, with the messages
// they have. ErrNotFound when a member does not exist.
func (s *Store) ImportSessions(ctx context.Context, imports []SessionImport) (added int, err error) {
	err = s.update(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for _, one := range imports {
			made, err := importSession(ctx, tx, one)
			if err != nil {
				return fmt.Errorf("session %s: %w", one.Session.ID, err)
			}
			if made {
				added++
			}
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("import sessions: %w", err)
	}
	return added, nil
}

func importSession(ctx context.Context, tx *sql.Tx, one SessionImport) (bool, error) {
	var there bool
	err := tx.QueryRowContext(ctx, `SELECT true FROM sessions WHERE id = ?`, one.Session.ID).Scan(&there)
	if err == nil || !errors.Is(err, sql.ErrNoRows) {
		return false, err
	}
	// A member who left keeps the sessions: an id finds former members too.
	err = tx.QueryRowContext(ctx, `SELECT id FROM users WHERE id = ?1 OR ?1 = '' AND folded = ?2 AND removed_at IS NULL`,
		one.Session.UserID, FoldEmail(one.UserEmail)).Scan(&one.Session.UserID)
	if err != nil {
		who := one.Session.UserID
		if who == "" {
			who = one.UserEmail
		}
		return false, fmt.Errorf("user %s: %w", who, missing(err))
	}
	if err := insertSessions(ctx, tx, []Session{one.Session}); err != nil {
		return false, err
	}
	for i := range one.Messages {
		one.Messages[i].SessionID = one.Session.ID
	}
	return true, insertMessages(ctx, tx, one.Messages)
}
