package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// EachDay calls f with the stored rows of one kind, days ascending. Days without spans have
// none.
func (s *Store) EachDay(ctx context.Context, kind string, first, last Day, f func(day Day, rows string) error) error {
	_, err := collect(ctx, s.read, func(row scanner) (struct{}, error) {
		var day Day
		var body string
		if err := row.Scan(&day, &body); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, f(day, body)
	}, `SELECT day, body FROM analytics_day WHERE kind = ? AND day BETWEEN ? AND ? ORDER BY day`, kind, int64(first), int64(last))
	if err != nil {
		return fmt.Errorf("read %s: %w", kind, err)
	}
	return nil
}

// Window is how many users the 7 and the 30 days that end with a day had.
type Window struct{ Weekly, Monthly int64 }

// Windows returns the windows of the days from first to last that have users.
func (s *Store) Windows(ctx context.Context, first, last Day) (map[Day]Window, error) {
	windows := map[Day]Window{}
	_, err := collect(ctx, s.read, func(row scanner) (struct{}, error) {
		var day Day
		var w Window
		err := row.Scan(&day, &w.Weekly, &w.Monthly)
		windows[day] = w
		return struct{}{}, err
	}, `SELECT day, weekly, monthly FROM analytics_window WHERE day BETWEEN ? AND ?`, int64(first), int64(last))
	if err != nil {
		return nil, fmt.Errorf("read windows: %w", err)
	}
	return windows, nil
}

// ActiveUsers returns up to limit users with activity from first to last whose id is
// greater than after, ids ascending.
func (s *Store) ActiveUsers(ctx context.Context, first, last Day, after string, limit int) ([]string, error) {
	users, err := collect(ctx, s.read, func(row scanner) (id string, err error) {
		err = row.Scan(&id)
		return id, err
	}, `SELECT DISTINCT user_id FROM user_day INDEXED BY user_day_of_user WHERE user_id > ? AND day BETWEEN ? AND ?
		ORDER BY user_id LIMIT ?`, s.bound(after), int64(first), int64(last), limit)
	if err != nil {
		return nil, fmt.Errorf("read active users: %w", err)
	}
	return users, nil
}

// UserRows returns the rows of users from first to last: in the order of users, days
// ascending.
func (s *Store) UserRows(ctx context.Context, users []string, first, last Day) (bodies []string, err error) {
	st, err := s.read.PrepareContext(ctx, `SELECT body FROM analytics_user WHERE user_id = ? AND day BETWEEN ? AND ? ORDER BY day`)
	if err != nil {
		return nil, fmt.Errorf("read user rows: %w", err)
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	for _, user := range users {
		if bodies, err = appendRows(bodies, func() (*sql.Rows, error) { return st.QueryContext(ctx, user, int64(first), int64(last)) }); err != nil {
			return nil, fmt.Errorf("read rows of user %s: %w", user, err)
		}
	}
	return bodies, nil
}

// appendRows adds the texts that a query returns.
func appendRows(texts []string, query func() (*sql.Rows, error)) (all []string, err error) {
	rows, err := query()
	if err != nil {
		return texts, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return texts, err
		}
		texts = append(texts, text)
	}
	return texts, rows.Err()
}
