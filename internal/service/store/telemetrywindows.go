package store

import (
	"context"
	"database/sql"
	"errors"
)

// The trailing windows of F29 and F30, the day itself included (T26).
const (
	weekDays  = 7
	monthDays = 30
)

// putWindows counts the weekly and monthly users of the days from first to last again.
func putWindows(ctx context.Context, tx *sql.Tx, first, last Day) error {
	weekly, monthly, err := countWindows(ctx, tx, first, last)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM analytics_window WHERE day BETWEEN ? AND ?`, int64(first), int64(last)); err != nil {
		return err
	}
	for i, n := range monthly {
		if n == 0 {
			continue
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO analytics_window (day, weekly, monthly) VALUES (?, ?, ?)`, int64(first)+int64(i), weekly[i], n)
		if err != nil {
			return err
		}
	}
	return nil
}

// countWindows goes once over the active days of everybody, by day: an activity counts for
// the user until the window ends or the next activity takes over.
func countWindows(ctx context.Context, tx *sql.Tx, first, last Day) (weekly, monthly []int64, err error) {
	week, month := newSpread(first, last), newSpread(first, last)
	newest := map[string]Day{} // last active day so far, by user
	rows, err := tx.QueryContext(ctx, `SELECT day, user_id FROM user_day WHERE day BETWEEN ? AND ? ORDER BY day`, int64(first-monthDays+1), int64(last))
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var day Day
		var user string
		if err := rows.Scan(&day, &user); err != nil {
			return nil, nil, err
		}
		if had, ok := newest[user]; ok {
			week.add(had, min(had+weekDays, day))
			month.add(had, min(had+monthDays, day))
		}
		newest[user] = day
	}
	for _, had := range newest {
		week.add(had, had+weekDays)
		month.add(had, had+monthDays)
	}
	return week.sums(), month.sums(), rows.Err()
}

// spread counts intervals of days by their ends.
type spread struct {
	first Day
	ends  []int64
}

func newSpread(first, last Day) *spread { return &spread{first, make([]int64, last-first+2)} }

// add counts every day from a day until another, that one excluded.
func (s *spread) add(from, until Day) {
	at := func(d Day) int { return min(max(int(d-s.first), 0), len(s.ends)-1) }
	s.ends[at(from)]++
	s.ends[at(until)]--
}

func (s *spread) sums() []int64 {
	sums, n := make([]int64, len(s.ends)-1), int64(0)
	for i := range sums {
		n += s.ends[i]
		sums[i] = n
	}
	return sums
}
