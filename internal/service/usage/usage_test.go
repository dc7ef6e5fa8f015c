package usage_test

import (
	"cmp"
	"encoding/json"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/service/usage"
)

const today = "2026-11-18"

// noon returns a time after 12:00 UTC of today, in Unix nanoseconds.
func noon(after time.Duration) int64 {
	return time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC).Add(after).UnixNano()
}

// full fills in what a test does not care about: user u, session s, the terminal, noon.
func full(s usage.Span) usage.Span {
	s.UserID = cmp.Or(s.UserID, "u")
	s.SessionID = cmp.Or(s.SessionID, "s")
	s.Client = cmp.Or(s.Client, usage.ClientTerminal)
	s.Start = cmp.Or(s.Start, noon(0))
	return s
}

func dayOf(spans ...usage.Span) *usage.Day {
	d := usage.NewDay(time.Unix(0, noon(0)), usage.DefaultPricing())
	for _, s := range spans {
		d.Add(full(s))
	}
	return d
}

func resultOf(spans ...usage.Span) usage.Result { return dayOf(spans...).Result(usage.Facts{}) }

// times repeats a span.
func times(n int, s usage.Span) []usage.Span {
	var all []usage.Span
	for range n {
		all = append(all, s)
	}
	return all
}

func number(n json.Number) *json.Number { return &n }

func equal[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func text(s string) *string { return &s }
