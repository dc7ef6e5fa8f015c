package store_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/service/store"
)

const dayNanos = int64(24 * time.Hour)

func newBatch(spans ...store.Span) store.Batch {
	b := store.Batch{Spans: spans}
	for i, sp := range spans {
		var id store.SpanID
		copy(id[:], fmt.Sprintf("%v", sp.Start))
		id[23] = byte(i)
		b.IDs = append(b.IDs, id)
	}
	return b
}

// stored reads the spans of a day.
func stored(t *testing.T, s *store.Store, day store.Day) []store.Span {
	t.Helper()
	var all []store.Span
	if err := s.EachSpan(t.Context(), day, func(sp *store.Span) error { all = append(all, *sp); return nil }); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestSpansAreKeptAsTheyAre(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 1))
	text := func() string { return [...]string{"", "a", "ü", "x\x01y", "long text of a span"}[random.IntN(5)] }
	var spans []store.Span
	for range 500 {
		sp := store.Span{
			Kind: uint8(1 + random.IntN(10)), Start: 20000*dayNanos + random.Int64N(dayNanos), UserID: text(), UserEmail: text(), SessionID: text(), Client: text(),
			Name: text(), Detail: text(), Command: text(), Delegation: text(),
			Resumed: random.IntN(2) == 0, Created: random.IntN(2) == 0, Priced: random.IntN(2) == 0,
		}
		if sp.Kind == store.SpanModelRequest {
			sp.Credits, sp.Input, sp.Output, sp.CacheRead, sp.CacheWrite = random.Int64(), 1<<62, 0, random.Int64N(300), 7
		}
		spans = append(spans, sp)
	}
	s := open(t)
	in, err := s.AddSpans(t.Context(), newBatch(spans...))
	if err != nil || in.New != 500 {
		t.Fatalf("%+v, %v", in, err)
	}
	if diff := cmp.Diff(spans, stored(t, s, 20000)); diff != "" {
		t.Error(diff)
	}
}

// TestDirtyDays: only a change makes a day dirty, and a change while it is built keeps it so.
func TestDirtyDays(t *testing.T) {
	t.Parallel()
	s := open(t)
	span := func(day, at int64, kind uint8) store.Span {
		return store.Span{Kind: kind, Start: day*dayNanos + at, UserID: "u", SessionID: "s", Client: "c"}
	}
	dirty := func() (days []store.DirtyDay) {
		t.Helper()
		days, err := s.DirtyDays(t.Context(), 30000)
		if err != nil {
			t.Fatal(err)
		}
		return days
	}
	add := func(spans ...store.Span) {
		t.Helper()
		if _, err := s.AddSpans(t.Context(), newBatch(spans...)); err != nil {
			t.Fatal(err)
		}
	}
	put := func(days ...store.DirtyDay) {
		t.Helper()
		for _, d := range days {
			if err := s.PutDays(t.Context(), []store.BuiltDay{{DirtyDay: d, Users: []store.UserRow{{UserID: "u", Body: "{}"}}}}, 1, now()); err != nil {
				t.Fatal(err)
			}
		}
	}
	add(span(20005, 1, store.SpanMessage))
	first := dirty()
	if len(first) != 1 || first[0].Day != 20005 || first[0].Built {
		t.Fatalf("%+v", first)
	}
	add(span(20005, 2, store.SpanMessage)) // while it is built
	put(first...)
	if again := dirty(); len(again) != 1 || !again[0].Built || again[0].Mark <= first[0].Mark {
		t.Fatalf("%+v", again)
	}
	put(dirty()...)
	add(span(20005, 2, store.SpanMessage)) // a repetition
	if d := dirty(); len(d) != 0 {
		t.Errorf("%+v", d)
	}
	put(first...) // somebody slower: everything is there already
	add(span(20003, 1, store.SpanMessage))
	if d := dirty(); len(d) != 2 {
		t.Errorf("the session begins earlier now, so another day starts it: %+v", d)
	}
	put(dirty()...)
	add(span(20007, 1, store.SpanSessionStart))
	if d := dirty(); len(d) != 2 || d[0].Day != 20003 {
		t.Errorf("the session has a start now, so the first day does not start it: %+v", d)
	}
}

// TestWindows holds F29, F30 and T26 against counting the obvious way.
func TestWindows(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(2, 2))
	s := open(t)
	active := map[store.Day]map[string]bool{}
	for range 60 {
		d := store.Day(20000 + random.IntN(80))
		active[d] = map[string]bool{}
		for range random.IntN(6) {
			active[d][fmt.Sprint(random.IntN(9))] = true
		}
		sp := store.Span{Kind: 1, Start: int64(d)*dayNanos + random.Int64N(dayNanos), UserID: "u", SessionID: "s"}
		if _, err := s.AddSpans(t.Context(), newBatch(sp)); err != nil {
			t.Fatal(err)
		}
		built := store.BuiltDay{DirtyDay: store.DirtyDay{Day: d, Mark: 1 << 40}}
		for u := range active[d] {
			built.Users = append(built.Users, store.UserRow{UserID: u, Body: "{}"})
		}
		if err := s.PutDays(t.Context(), []store.BuiltDay{built}, 1, now()); err != nil {
			t.Fatal(err)
		}
	}
	got, err := s.Windows(t.Context(), 19990, 20130)
	if err != nil {
		t.Fatal(err)
	}
	for d := store.Day(19990); d < 20130; d++ {
		count := func(days store.Day) int64 {
			users := map[string]bool{}
			for back := range days {
				for u := range active[d-back] {
					users[u] = true
				}
			}
			return int64(len(users))
		}
		if want := (store.Window{Weekly: count(7), Monthly: count(30)}); got[d] != want {
			t.Errorf("%s: %+v, want %+v", d, got[d], want)
		}
	}
}

// TestDropSpans: rows outlive spans, and days that are still to be built keep theirs.
func TestDropSpans(t *testing.T) {
	t.Parallel()
	s := open(t)
	span := func(day int64) store.Span {
		return store.Span{Kind: 9, Start: day * dayNanos, UserID: "u", SessionID: "s"}
	}
	b := newBatch(span(20000), span(20001), span(20002))
	if _, err := s.AddSpans(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	dirty, err := s.DirtyDays(t.Context(), 20000)
	if err != nil {
		t.Fatal(err)
	}
	built := store.BuiltDay{DirtyDay: dirty[0], Rows: map[string]string{"k": "[1]"}}
	if err := s.PutDays(t.Context(), []store.BuiltDay{built}, 1, now()); err != nil {
		t.Fatal(err)
	}
	if err := s.DropSpans(t.Context(), 20002); err != nil {
		t.Fatal(err)
	}
	if a, b, c := len(stored(t, s, 20000)), len(stored(t, s, 20001)), len(stored(t, s, 20002)); a != 0 || b != 1 || c != 1 {
		t.Errorf("%d, %d, %d spans", a, b, c)
	}
	rows := ""
	err = s.EachDay(t.Context(), "k", 20000, 20000, func(_ store.Day, text string) error { rows += text; return nil })
	if err != nil || rows != "[1]" {
		t.Errorf("%q, %v", rows, err)
	}
}

func TestDay(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]store.Day{
		"1970-01-01T00:00:00Z": 0, "1969-12-31T23:59:59.999999999Z": -1, "2026-11-20T00:30:00+02:00": 20776, "2026-11-20T00:00:00Z": 20777,
	} {
		at, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			t.Fatal(err)
		}
		if got := store.DayOf(at); got != want || store.DayOf(got.Time()) != got {
			t.Errorf("%s is day %d, want %d", text, got, want)
		}
	}
}
