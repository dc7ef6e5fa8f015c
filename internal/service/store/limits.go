package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"
)

// Limit is the credit limit of one member.
type Limit struct {
	UserID string
	Email  string // as the organization spells it
	Value  int64
	SetAt  time.Time
	SetBy  string // user id, key prefix or "" for the operator
}

// WantLimit asks for one limit. A batch names an address once.
type WantLimit struct {
	Email string
	Value int64
}

// SetLimits sets limits in one transaction and tells for each entry, in order, whether
// an active member has that address in any ASCII case; the others are left out.
func (s *Store) SetLimits(ctx context.Context, want []WantLimit, by string, at time.Time) ([]bool, error) {
	if len(want) == 0 {
		return []bool{}, nil
	}
	found := make([]bool, len(want))
	err := s.update(ctx, func(ctx context.Context, tx *sql.Tx) error {
		rows, err := memberRows(ctx, tx, want, found)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO limits (user_seq, value, set_at, set_by)
			SELECT j.value->>0, j.value->>1, ?, ? FROM json_each(?) AS j WHERE true
			ON CONFLICT (user_seq) DO UPDATE SET value = excluded.value, set_at = excluded.set_at, set_by = excluded.set_by`,
			millis(at), by, rows)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("set limits: %w", err)
	}
	return found, nil
}

// memberRows looks all addresses up with one query, marks the found ones and returns
// [[user seq, value], …] as JSON: two statements per batch instead of two hundred.
func memberRows(ctx context.Context, tx *sql.Tx, want []WantLimit, found []bool) (string, error) {
	folded := make([]string, len(want))
	for i, w := range want {
		folded[i] = FoldEmail(w.Email)
	}
	list, err := json.Marshal(folded)
	if err != nil {
		return "", err
	}
	pairs, err := collect(ctx, tx, func(row scanner) ([2]int64, error) {
		var i int
		var seq int64
		if err := row.Scan(&i, &seq); err != nil {
			return [2]int64{}, err
		}
		found[i] = true
		return [2]int64{seq, want[i].Value}, nil
	}, `SELECT j.key, u.seq FROM json_each(?) AS j
		CROSS JOIN users AS u WHERE u.folded = j.value AND u.removed_at IS NULL`, string(list))
	if err != nil {
		return "", err
	}
	out, err := json.Marshal(pairs)
	return string(out), err
}

// SetLimit sets one limit, as somebody would in the web page; ErrNotFound if no active
// member has the address.
func (s *Store) SetLimit(ctx context.Context, email string, value int64, by string, at time.Time) error {
	found, err := s.SetLimits(ctx, []WantLimit{{Email: email, Value: value}}, by, at)
	if err == nil && !found[0] {
		err = fmt.Errorf("set limit of %s: %w", email, ErrNotFound)
	}
	return err
}

// Limits returns every limit that is set, user ids ascending. The API has no such
// operation: only the operator of this service can look.
func (s *Store) Limits(ctx context.Context) ([]Limit, error) {
	limits, err := collect(ctx, s.read, func(row scanner) (Limit, error) {
		var l Limit
		var at sql.NullInt64
		err := row.Scan(&l.UserID, &l.Email, &l.Value, &at, &l.SetBy)
		l.SetAt = fromMillis(at)
		return l, err
	}, `SELECT u.id, u.email, l.value, l.set_at, l.set_by
		FROM limits l JOIN users u ON u.seq = l.user_seq ORDER BY u.id`)
	if err != nil {
		return nil, fmt.Errorf("read limits: %w", err)
	}
	return limits, nil
}
