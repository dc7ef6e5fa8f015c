package sample_test

import (
	"testing"

	"github.com/govctl/govctl/internal/pgtest"
	"github.com/govctl/govctl/internal/service/sample"
	"github.com/govctl/govctl/internal/service/store"
)

// TestExtend adds members in steps and again: each exists once, and a smaller number
// than before changes nothing.
func TestExtend(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), pgtest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := sample.Load(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ extra, want int }{{0, 250}, {7, 257}, {7, 257}, {100, 350}, {3, 350}} {
		if err := sample.Extend(t.Context(), s, step.extra); err != nil {
			t.Fatalf("extend to %d: %v", step.extra, err)
		}
		users, err := s.Users(t.Context(), "", 1000)
		if err != nil {
			t.Fatal(err)
		}
		if len(users) != step.want {
			t.Errorf("after extend to %d: %d members, want %d", step.extra, len(users), step.want)
		}
	}
}
