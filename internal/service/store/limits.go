package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
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
		members, err := memberRows(ctx, tx, want)
		if err != nil {
			return err
		}
		rows := make([][]any, 0, len(want))
		for i, w := range want {
			seq, ok := members[FoldEmail(w.Email)]
			if found[i] = ok; ok {
				rows = append(rows, []any{seq, w.Value, millis(at), by})
			}
		}
		return insertMany(ctx, tx, `INSERT INTO limits (user_seq, value, set_at, set_by) VALUES `, rows,
			` ON CONFLICT (user_seq) DO UPDATE SET value = excluded.value, set_at = excluded.set_at, set_by = excluded.set_by`)
	})
	if err != nil {
		return nil, fmt.Errorf("set limits: %w", err)
	}
	return found, nil
}

// memberRows returns the seq of every active member among want by folded address, with
// one query for hundreds: two statements per batch instead of two hundred.
func memberRows(ctx context.Context, tx *sql.Tx, want []WantLimit) (map[string]int64, error) {
	members := make(map[string]int64, len(want))
	for some := range slices.Chunk(want, maxValues) {
		args := make([]any, len(some))
		for i, w := range some {
			args[i] = FoldEmail(w.Email)
		}
		_, err := collect(ctx, tx, func(row scanner) (struct{}, error) {
			var folded string
			var seq int64
			err := row.Scan(&folded, &seq)
			members[folded] = seq
			return struct{}{}, err
		}, `SELECT folded, seq FROM users WHERE removed_at IS NULL AND folded IN `+tuple(len(args)), args...)
		if err != nil {
			return nil, err
		}
	}
	return members, nil
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
