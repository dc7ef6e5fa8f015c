package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Span names that activity counts.
const (
	SpanSessionStart = "agent.session.start"
	SpanMessage      = "agent.message"
)

// Span is what activity needs of one telemetry span. Trace and span id together are its
// identity.
type Span struct {
	TraceID   string
	SpanID    string
	UserID    string
	SessionID string
	Name      string
	Client    string // terminal-ui, web, non-interactive-cli or another string
	Role      string // of a message
	Resumed   bool   // of a session start: the session was started before
	Start     time.Time
}

// Activity is what happened on one UTC day.
type Activity struct {
	Day          string
	Daily        int64 // distinct users of the day
	Weekly       int64 // of the 7 days that end with it
	Monthly      int64 // of the 30 days that end with it
	ByClient     map[string]int64
	Sessions     int64 // started
	UserMessages int64
	Messages     int64 // of users and the assistant
}

const dayLayout = "2006-01-02"

// AddSpans stores spans; one that is stored already is left as it is, so that senders
// may repeat themselves.
func (s *Store) AddSpans(ctx context.Context, spans []Span) error {
	err := s.update(ctx, func(ctx context.Context, tx *sql.Tx) (err error) {
		st, err := tx.PrepareContext(ctx, `INSERT INTO spans
			(trace_id, span_id, day, user_id, session_id, name, client, role, resumed, start_ns)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, st.Close()) }()
		for _, sp := range spans {
			_, err := st.ExecContext(ctx, sp.TraceID, sp.SpanID, sp.Start.UTC().Format(dayLayout), sp.UserID,
				sp.SessionID, sp.Name, sp.Client, sp.Role, sp.Resumed, sp.Start.UnixNano())
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("add spans: %w", err)
	}
	return nil
}

// Activity returns one entry for every day from first to last, both included; a day
// without spans is all zero. Client names are keys as they came.
func (s *Store) Activity(ctx context.Context, first, last time.Time) ([]Activity, error) {
	var days []Activity
	at := map[string]int{}
	for d := first; !d.After(last); d = d.AddDate(0, 0, 1) {
		at[d.Format(dayLayout)] = len(days)
		days = append(days, Activity{Day: d.Format(dayLayout), ByClient: map[string]int64{}})
	}
	for _, c := range activityCounts() {
		err := s.eachCount(ctx, c.query, first.Format(dayLayout), last.Format(dayLayout), func(day, key string, n int64) {
			if i, ok := at[day]; ok {
				c.add(&days[i], key, n)
			}
		})
		if err != nil {
			return nil, fmt.Errorf("read activity: %w", err)
		}
	}
	if err := s.addWindows(ctx, days, first, last); err != nil {
		return nil, fmt.Errorf("read activity: %w", err)
	}
	return days, nil
}

type activityCount struct {
	query string // day, key, number for days between ?1 and ?2
	add   func(day *Activity, key string, n int64)
}

// activityCounts are the counts that look at single days. A session without a start span
// counts on the day of its first span.
func activityCounts() []activityCount {
	return []activityCount{
		{`SELECT day, '', count(DISTINCT user_id) FROM spans WHERE day BETWEEN ?1 AND ?2 GROUP BY day`,
			func(d *Activity, _ string, n int64) { d.Daily = n }},
		{`SELECT day, client, count(DISTINCT user_id) FROM spans WHERE day BETWEEN ?1 AND ?2 GROUP BY day, client`,
			func(d *Activity, client string, n int64) { d.ByClient[client] = n }},
		{`SELECT day, role, count(*) FROM spans WHERE day BETWEEN ?1 AND ?2 AND name = '` + SpanMessage + `'
			AND role IN ('user', 'assistant') GROUP BY day, role`,
			func(d *Activity, role string, n int64) {
				d.Messages += n
				if role == "user" {
					d.UserMessages += n
				}
			}},
		{`SELECT day, '', count(DISTINCT session_id) FROM spans WHERE day BETWEEN ?1 AND ?2
			AND name = '` + SpanSessionStart + `' AND NOT resumed GROUP BY day`,
			func(d *Activity, _ string, n int64) { d.Sessions += n }},
		{`SELECT first, '', count(*) FROM (SELECT min(day) AS first FROM spans GROUP BY session_id
			HAVING sum(name = '` + SpanSessionStart + `') = 0) WHERE first BETWEEN ?1 AND ?2 GROUP BY first`,
			func(d *Activity, _ string, n int64) { d.Sessions += n }},
	}
}

// eachCount calls each with the rows of a query: a day, a key and a number.
func (s *Store) eachCount(ctx context.Context, query, first, last string, each func(day, key string, n int64)) error {
	_, err := collect(ctx, s.read, func(row scanner) (struct{}, error) {
		var day, key string
		var n int64
		if err := row.Scan(&day, &key, &n); err != nil {
			return struct{}{}, err
		}
		each(day, key, n)
		return struct{}{}, nil
	}, query, first, last)
	return err
}

// addWindows counts the users of the 7 and the 30 days that end with each day: a user
// counts on every day that a day of activity reaches.
func (s *Store) addWindows(ctx context.Context, days []Activity, first, last time.Time) error {
	seen := map[string][]time.Time{} // user -> active days, ascending
	err := s.eachCount(ctx, `SELECT DISTINCT day, user_id, 1 FROM spans WHERE day BETWEEN ?1 AND ?2 ORDER BY day`,
		first.AddDate(0, 0, -29).Format(dayLayout), last.Format(dayLayout), func(day, user string, _ int64) {
			if d, err := time.Parse(dayLayout, day); err == nil {
				seen[user] = append(seen[user], d)
			}
		})
	if err != nil {
		return err
	}
	for _, active := range seen {
		next := 0
		for i := range days {
			day := first.AddDate(0, 0, i)
			for next < len(active) && !active[next].After(day) {
				next++
			}
			if next == 0 {
				continue
			}
			ago := day.Sub(active[next-1]) / (24 * time.Hour)
			if ago < 7 {
				days[i].Weekly++
			}
			if ago < 30 {
				days[i].Monthly++
			}
		}
	}
	return nil
}
