package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"time"
)

// Day is a UTC day: whole days since 1970-01-01.
type Day int

// DayOf returns the UTC day that holds t.
func DayOf(t time.Time) Day { return dayOfNanos(t.UnixNano()) }

func dayOfNanos(ns int64) Day {
	d := ns / nanosPerDay
	if ns%nanosPerDay < 0 {
		d--
	}
	return Day(d)
}

const nanosPerDay = int64(24 * time.Hour)

// Time returns the first moment of the day, in UTC.
func (d Day) Time() time.Time { return time.Unix(int64(d)*24*60*60, 0).UTC() }

// String returns YYYY-MM-DD.
func (d Day) String() string { return d.Time().Format("2006-01-02") }

// SpanID is the identity of a span: 16 bytes of its trace and 8 of its own.
type SpanID [24]byte

// The kinds of span that need names here; the numbers are those of package usage.
const (
	SpanSessionStart uint8 = 1 + iota
	SpanMessage
	SpanModelRequest
	SpanToolCall
	SpanFileChange
	SpanSkill
	SpanSlashCommand
	SpanHook
	SpanCommit
	SpanPullRequest
)

// Span is what is kept of an accepted span; package usage says what the fields mean for
// each kind. No number is negative. Token counts and credits are kept of model requests only.
type Span struct {
	Kind  uint8
	Start int64 // Unix time in nanoseconds

	UserID, UserEmail, SessionID, Client string
	Name, Detail, Command, Delegation    string

	Resumed, Created, Priced                      bool
	Credits, Input, Output, CacheRead, CacheWrite int64
}

// Batch is what one request brings.
type Batch struct {
	IDs    []SpanID // one for each span
	Spans  []Span
	Open   Day              // first day that is not sealed: earlier ones are never made dirty
	Counts map[string]int64 // what else to count: refusals and what was ignored
}

// Ingested says what became of a batch.
type Ingested struct {
	New       int64
	Repeated  int64 // stored already, with the same content
	Conflicts int64 // stored already, with another content, which was kept
}

// Names of counts beside those of Batch.Counts.
const (
	CountAccepted  = "accepted"
	CountRepeated  = "repeated"
	CountConflicts = "conflict"
)

// AddSpans stores a batch in one transaction. A span is stored once: senders may repeat
// themselves, in any order and any batches. The days of new spans become dirty, and so
// do those whose number of started sessions they change.
func (s *Store) AddSpans(ctx context.Context, b Batch) (Ingested, error) {
	var in Ingested
	err := s.update(ctx, func(ctx context.Context, tx *sql.Tx) error {
		in = Ingested{}
		fresh, err := insertIDs(ctx, tx, b, &in)
		if err != nil {
			return err
		}
		if err := insertSpans(ctx, tx, fresh, b.Open); err != nil {
			return err
		}
		counts := maps.Clone(b.Counts)
		if counts == nil {
			counts = map[string]int64{}
		}
		counts[CountAccepted] += in.New
		counts[CountRepeated] += in.Repeated
		counts[CountConflicts] += in.Conflicts
		return addCounts(ctx, tx, counts)
	})
	if err != nil {
		return Ingested{}, fmt.Errorf("add spans: %w", err)
	}
	return in, nil
}

// insertIDs returns the spans whose ids were not there.
func insertIDs(ctx context.Context, tx *sql.Tx, b Batch, in *Ingested) ([]*Span, error) {
	rows, hashes := make([][]any, len(b.Spans)), make([]int64, len(b.Spans))
	var plain []byte
	for i := range b.Spans {
		plain, hashes[i] = hashSpan(plain[:0], &b.Spans[i])
		rows[i] = []any{b.IDs[i][:], int64(dayOfNanos(b.Spans[i].Start)), hashes[i]}
	}
	added := make(map[SpanID]bool, len(rows))
	err := eachStatement(rows, `INSERT INTO span_ids (id, day, hash) VALUES `, ` ON CONFLICT DO NOTHING RETURNING id`,
		func(query string, args []any) error {
			_, err := collect(ctx, tx, func(row scanner) (struct{}, error) {
				var id []byte
				err := row.Scan(&id)
				added[SpanID(id)] = true
				return struct{}{}, err
			}, query, args...)
			return err
		})
	if err != nil {
		return nil, err
	}
	var fresh []*Span
	var again []int
	for i := range b.Spans {
		if added[b.IDs[i]] {
			delete(added, b.IDs[i]) // the first of its id in this batch
			fresh = append(fresh, &b.Spans[i])
		} else {
			again = append(again, i)
		}
	}
	in.New = int64(len(fresh))
	return fresh, compareAgain(ctx, tx, b.IDs, hashes, again, in)
}

// compareAgain tells repetitions from conflicts among the spans whose ids were there.
func compareAgain(ctx context.Context, tx *sql.Tx, ids []SpanID, hashes []int64, again []int, in *Ingested) error {
	stored := make(map[SpanID]int64, len(again))
	for some := range slices.Chunk(again, maxValues) {
		args := make([]any, len(some))
		for n, i := range some {
			args[n] = ids[i][:]
		}
		_, err := collect(ctx, tx, func(row scanner) (struct{}, error) {
			var id []byte
			var hash int64
			err := row.Scan(&id, &hash)
			stored[SpanID(id)] = hash
			return struct{}{}, err
		}, `SELECT id, hash FROM span_ids WHERE id IN `+tuple(len(args)), args...)
		if err != nil {
			return err
		}
	}
	for _, i := range again {
		if stored[ids[i]] == hashes[i] {
			in.Repeated++
		} else {
			in.Conflicts++
		}
	}
	return nil
}

// hashSpan returns a hash of everything that is kept of a span; buf is scratch space.
func hashSpan(buf []byte, sp *Span) (scratch []byte, hash int64) {
	buf = append(buf, sp.Kind, sp.flags())
	buf = binary.LittleEndian.AppendUint64(buf, uint64(sp.Start))
	for _, text := range sp.texts() {
		buf = binary.AppendUvarint(buf, uint64(len(text)))
		buf = append(buf, text...)
	}
	for _, n := range sp.numbers() {
		buf = binary.AppendVarint(buf, n)
	}
	h := fnv.New64a()
	_, _ = h.Write(buf) // never fails
	return buf, int64(h.Sum64())
}

// insertSpans stores new spans as one block for each day and makes dirty what they change.
func insertSpans(ctx context.Context, tx *sql.Tx, spans []*Span, open Day) error {
	if len(spans) == 0 {
		return nil
	}
	days := map[Day][]*Span{}
	for _, sp := range spans {
		d := dayOfNanos(sp.Start)
		days[d] = append(days[d], sp)
	}
	var mark int64
	dirty := map[Day]bool{}
	for _, d := range slices.Sorted(maps.Keys(days)) {
		err := tx.QueryRowContext(ctx, `INSERT INTO span_blocks (day, spans) VALUES (?, ?) RETURNING id`,
			int64(d), encodeBlock(d, days[d])).Scan(&mark)
		if err != nil {
			return err
		}
		dirty[d] = true
	}
	if err := noteSessions(ctx, tx, spans, open, dirty); err != nil {
		return err
	}
	for _, d := range slices.Sorted(maps.Keys(dirty)) {
		_, err := tx.ExecContext(ctx, `INSERT INTO dirty_days (day, mark) VALUES (?, ?)
			ON CONFLICT (day) DO UPDATE SET mark = excluded.mark`, int64(d), mark)
		if err != nil {
			return err
		}
	}
	return nil
}

// plantSpans stores the spans of a Seed.
func plantSpans(ctx context.Context, tx *sql.Tx, spans []Span) error {
	all := make([]*Span, len(spans))
	for i := range spans {
		all[i] = &spans[i]
	}
	return insertSpans(ctx, tx, all, 0)
}

func addCounts(ctx context.Context, tx *sql.Tx, counts map[string]int64) error {
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		if counts[what] == 0 {
			continue
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO span_counts (what, n) VALUES (?, ?)
			ON CONFLICT (what) DO UPDATE SET n = span_counts.n + excluded.n`, what, counts[what])
		if err != nil {
			return err
		}
	}
	return nil
}

// SpanCounts returns how many spans were ever accepted, repeated, in conflict with a stored
// one, ignored, and refused for which reason.
func (s *Store) SpanCounts(ctx context.Context) (map[string]int64, error) {
	counts := map[string]int64{}
	_, err := collect(ctx, s.read, func(row scanner) (struct{}, error) {
		var what string
		var n int64
		err := row.Scan(&what, &n)
		counts[what] = n
		return struct{}{}, err
	}, `SELECT what, n FROM span_counts`)
	if err != nil {
		return nil, fmt.Errorf("read span counts: %w", err)
	}
	return counts, nil
}
