package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// DirtyDay is a day whose spans changed since they were aggregated.
type DirtyDay struct {
	Day   Day
	Mark  int64 // grows with every change
	Built bool  // it was aggregated before
}

// DirtyDays returns the dirty days up to through, ascending.
func (s *Store) DirtyDays(ctx context.Context, through Day) ([]DirtyDay, error) {
	days, err := collect(ctx, s.read, func(row scanner) (DirtyDay, error) {
		var d DirtyDay
		err := row.Scan(&d.Day, &d.Mark, &d.Built)
		return d, err
	}, `SELECT d.day, d.mark, b.day IS NOT NULL FROM dirty_days d LEFT JOIN analytics_built b ON b.day = d.day
		WHERE d.day <= ? ORDER BY d.day`, int64(through))
	if err != nil {
		return nil, fmt.Errorf("read dirty days: %w", err)
	}
	return days, nil
}

// EachSpan calls f with every stored span of a day, one block in memory at a time. The
// span is used again for the next one.
func (s *Store) EachSpan(ctx context.Context, day Day, f func(*Span) error) (err error) {
	rows, err := s.read.QueryContext(ctx, `SELECT spans FROM span_blocks WHERE day = ? ORDER BY id`, int64(day))
	if err != nil {
		return fmt.Errorf("read spans of %s: %w", day, err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var block sql.RawBytes
		err := rows.Scan(&block)
		if err == nil {
			err = decodeBlock(day, block, f)
		}
		if err != nil {
			return fmt.Errorf("read spans of %s: %w", day, err)
		}
	}
	return rows.Err()
}

// BuiltDay is everything that is known of an aggregated day.
type BuiltDay struct {
	DirtyDay
	Spans int64
	Rows  map[string]string // JSON array of rows, by kind
	Users []UserRow
}

// UserRow is what one user did on one day, as a JSON object.
type UserRow struct {
	UserID string
	Body   string
}

// PutDays replaces days, and the weekly and monthly users of the 29 days after each, in
// one transaction. A day that is not dirty any more was built by somebody else from the
// same spans and is left alone; one that became dirty again meanwhile stays so.
func (s *Store) PutDays(ctx context.Context, days []BuiltDay, schema int, at time.Time) error {
	err := s.update(ctx, func(ctx context.Context, tx *sql.Tx) error {
		var put []Day
		for _, d := range days {
			var mark int64
			err := tx.QueryRowContext(ctx, `SELECT mark FROM dirty_days WHERE day = ?`, int64(d.Day)).Scan(&mark)
			if errors.Is(err, sql.ErrNoRows) {
				continue
			} else if err != nil {
				return err
			}
			if err := putDay(ctx, tx, d, schema, at); err != nil {
				return fmt.Errorf("%s: %w", d.Day, err)
			}
			put = append(put, d.Day)
		}
		if len(put) == 0 {
			return nil
		}
		return putWindows(ctx, tx, put[0], put[len(put)-1]+monthDays-1)
	})
	if err != nil {
		return fmt.Errorf("store days: %w", err)
	}
	return nil
}

func putDay(ctx context.Context, tx *sql.Tx, d BuiltDay, schema int, at time.Time) error {
	for _, query := range []string{
		`DELETE FROM analytics_day WHERE day = ?`,
		`DELETE FROM analytics_user WHERE day = ?1 AND user_id IN (SELECT user_id FROM user_day WHERE day = ?1)`,
		`DELETE FROM user_day WHERE day = ?`,
	} {
		if _, err := tx.ExecContext(ctx, query, int64(d.Day)); err != nil {
			return err
		}
	}
	for kind, rows := range d.Rows {
		if _, err := tx.ExecContext(ctx, `INSERT INTO analytics_day (kind, day, body) VALUES (?, ?, ?)`, kind, int64(d.Day), rows); err != nil {
			return err
		}
	}
	if err := putUsers(ctx, tx, d); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO analytics_built (day, built_at, spans, schema) VALUES (?, ?, ?, ?)
		ON CONFLICT (day) DO UPDATE SET built_at = excluded.built_at, spans = excluded.spans, schema = excluded.schema`,
		int64(d.Day), millis(at), d.Spans, schema)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM dirty_days WHERE day = ? AND mark = ?`, int64(d.Day), d.Mark)
	return err
}

func putUsers(ctx context.Context, tx *sql.Tx, d BuiltDay) error {
	rows, active := make([][]any, len(d.Users)), make([][]any, len(d.Users))
	for i, u := range d.Users {
		rows[i] = []any{u.UserID, int64(d.Day), u.Body}
		active[i] = []any{int64(d.Day), u.UserID}
	}
	if err := insertMany(ctx, tx, `INSERT INTO analytics_user (user_id, day, body) VALUES `, rows, ``); err != nil {
		return err
	}
	return insertMany(ctx, tx, `INSERT INTO user_day (day, user_id) VALUES `, active, ``)
}

// DropSpans forgets the spans of built days before a day and their ids. What was
// aggregated from them stays.
func (s *Store) DropSpans(ctx context.Context, before Day) error {
	var old bool
	err := s.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM span_blocks WHERE day < ?)`, int64(before)).Scan(&old)
	if err != nil || !old {
		return err
	}
	err = s.update(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for _, table := range []string{"span_blocks", "span_ids"} {
			_, err := tx.ExecContext(ctx, `DELETE FROM `+table+` WHERE day < ? AND day NOT IN (SELECT day FROM dirty_days)`, int64(before))
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("drop spans before %s: %w", before, err)
	}
	return nil
}
