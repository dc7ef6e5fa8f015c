package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Message is one message of a session (C147-C161).
type Message struct {
	SessionID string
	ID        string // unique in the session
	Role      string // user, assistant, tool or system
	CreatedAt time.Time
	UpdatedAt time.Time
	Content   string // a JSON array of {text, id}
	Extra     string // a JSON object: the optional fields by their names in the API; {} when empty
}

// MessageQuery selects messages of one session; zero fields do not restrict.
type MessageQuery struct {
	SessionID string // required
	Role      string
	After     *MessageKey // only messages that follow this one in the order
	Limit     int
}

// MessageKey is a place in the order of messages.
type MessageKey struct {
	CreatedAt int64 // Unix milliseconds
	ID        string
}

const messageColumns = `session_id, id, role, created_at, updated_at, content, extra`

func scanMessage(row scanner) (Message, error) {
	var m Message
	var created, updated sql.NullInt64
	err := row.Scan(&m.SessionID, &m.ID, &m.Role, &created, &updated, &m.Content, &m.Extra)
	m.CreatedAt, m.UpdatedAt = fromMillis(created), fromMillis(updated)
	return m, err
}

// Messages returns the selected messages, oldest first, ids ascending (U31). A session
// that does not exist has none.
func (s *Store) Messages(ctx context.Context, q MessageQuery) ([]Message, error) {
	where, args := `session_id = ?`, []any{q.SessionID}
	if q.Role != "" {
		where, args = where+` AND role = ?`, append(args, q.Role)
	}
	if q.After != nil {
		where, args = where+` AND (created_at, id) > (?, ?)`, append(args, q.After.CreatedAt, q.After.ID)
	}
	messages, err := collect(ctx, s.read, scanMessage, `SELECT `+messageColumns+` FROM messages
		WHERE `+where+` ORDER BY created_at, id LIMIT ?`, append(args, q.Limit)...)
	if err != nil {
		return nil, fmt.Errorf("read messages of session %s: %w", q.SessionID, err)
	}
	return messages, nil
}

// Message returns one message of a session, ErrNotFound if there is none.
func (s *Store) Message(ctx context.Context, session, id string) (Message, error) {
	m, err := scanMessage(s.read.QueryRowContext(ctx, `SELECT `+messageColumns+` FROM messages
		WHERE session_id = ? AND id = ?`, session, id))
	if err != nil {
		return Message{}, fmt.Errorf("read message %s of session %s: %w", id, session, missing(err))
	}
	return m, nil
}

func insertMessages(ctx context.Context, tx *sql.Tx, messages []Message) (err error) {
	if len(messages) == 0 {
		return nil
	}
	st, err := tx.PrepareContext(ctx, `INSERT INTO messages (`+messageColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	for _, m := range messages {
		if m.Extra == "" {
			m.Extra = "{}"
		}
		_, err := st.ExecContext(ctx, m.SessionID, m.ID, m.Role, millis(m.CreatedAt), millis(m.UpdatedAt), m.Content, m.Extra)
		if err != nil {
			return fmt.Errorf("message %s of session %s: %w", m.ID, m.SessionID, exists(err))
		}
	}
	return nil
}
