package service

import (
	"testing"
	"time"
)

// TestUntilBatch holds 5.6: 00:05 UTC, whatever the time zone of the clock.
func TestUntilBatch(t *testing.T) {
	t.Parallel()
	west := time.FixedZone("west", -8*60*60)
	for text, want := range map[string]time.Duration{
		"2026-11-20T00:00:00Z": 5 * time.Minute, "2026-11-20T00:04:59.999Z": time.Millisecond, "2026-11-20T00:05:00Z": 24 * time.Hour,
		"2026-11-20T23:59:00Z": 6 * time.Minute, "2028-02-29T12:05:00Z": 12 * time.Hour,
	} {
		at, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := untilBatch(at), untilBatch(at.In(west)); a != want || b != want {
			t.Errorf("%s: %v and %v, want %v", text, a, b, want)
		}
	}
}
