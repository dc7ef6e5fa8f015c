package store_test

import (
	"testing"
	"time"
)

// TestRevokedTokens are remembered until their time and no longer.
func TestRevokedTokens(t *testing.T) {
	t.Parallel()
	s := open(t)
	revoke := func(id string, until, at time.Duration) {
		t.Helper()
		if err := s.RevokeToken(t.Context(), id, now().Add(until), now().Add(at)); err != nil {
			t.Fatal(err)
		}
	}
	want := func(when, id string, want bool) {
		t.Helper()
		if got, err := s.TokenRevoked(t.Context(), id); err != nil || got != want {
			t.Errorf("%s: %s is revoked: %v, %v", when, id, got, err)
		}
	}
	want("before", "a", false)
	revoke("a", time.Hour, 0)
	revoke("a", 2*time.Hour, 0) // the first time counts
	revoke("b", 3*time.Hour, time.Minute)
	want("after", "a", true)
	want("after", "b", true)
	want("after", "c", false)
	revoke("c", 3*time.Hour, time.Hour-time.Millisecond)
	want("before its time", "a", true)
	revoke("d", 3*time.Hour, time.Hour)
	want("after its time", "a", false)
	want("another, then", "b", true)
}
