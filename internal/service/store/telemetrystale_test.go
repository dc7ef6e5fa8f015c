package store_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/service/store"
)

// TestOutdateDays: days of an older schema are to be built again if their spans are there,
// and those of today's schema or without spans are left alone.
func TestOutdateDays(t *testing.T) {
	t.Parallel()
	s := open(t)
	span := func(day, at int64) store.Span {
		return store.Span{Kind: store.SpanMessage, Start: day*dayNanos + at, UserID: "u", SessionID: "s", Client: "c"}
	}
	add := func(spans ...store.Span) {
		t.Helper()
		if _, err := s.AddSpans(t.Context(), newBatch(spans...)); err != nil {
			t.Fatal(err)
		}
	}
	put := func(schema int, days ...store.DirtyDay) {
		t.Helper()
		for _, d := range days {
			built := store.BuiltDay{DirtyDay: d, Rows: map[string]string{"k": "[1]"}}
			if err := s.PutDays(t.Context(), []store.BuiltDay{built}, schema, now()); err != nil {
				t.Fatal(err)
			}
		}
	}
	dirty := func() []store.DirtyDay {
		t.Helper()
		days, err := s.DirtyDays(t.Context(), 30000)
		if err != nil {
			t.Fatal(err)
		}
		return days
	}
	outdate := func(schema int, want int64) {
		t.Helper()
		if got, err := s.OutdateDays(t.Context(), schema); err != nil || got != want {
			t.Errorf("schema %d: %d days, want %d, %v", schema, got, want, err)
		}
	}
	add(span(20000, 1), span(20001, 1), span(20002, 1), span(20003, 1))
	all := dirty()
	put(1, all[:3]...)
	put(2, all[3])
	if err := s.DropSpans(t.Context(), 20001); err != nil {
		t.Fatal(err)
	}
	add(span(20002, 2)) // dirty already
	outdate(1, 0)
	if d := dirty(); len(d) != 1 || d[0].Day != 20002 || !d[0].Built {
		t.Fatalf("before: %+v", d)
	}
	marked := dirty()[0].Mark
	outdate(2, 2)
	outdate(2, 0)
	got := dirty()
	if len(got) != 2 {
		t.Fatalf("%+v", got)
	}
	want := []store.DirtyDay{{Day: 20001, Mark: got[0].Mark}, {Day: 20002, Mark: marked}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
	add(span(20001, 2)) // while it is built again
	put(2, got...)
	if d := dirty(); len(d) != 1 || d[0].Day != 20001 || d[0].Mark <= got[0].Mark || !d[0].Built {
		t.Errorf("a span that came meanwhile: %+v", d)
	}
	put(2, dirty()...)
	outdate(2, 0)
	if d := dirty(); len(d) != 0 {
		t.Errorf("at the end: %+v", d)
	}
	rows := ""
	err := s.EachDay(t.Context(), "k", 20000, 20003, func(_ store.Day, text string) error { rows += text; return nil })
	if err != nil || rows != "[1][1][1][1]" {
		t.Errorf("%q, %v", rows, err)
	}
}
