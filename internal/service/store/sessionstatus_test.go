package store_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/service/store"
)

// TestSessionStatus holds U30: idle, pending, running, idle and nothing else.
func TestSessionStatus(t *testing.T) {
	t.Parallel()
	s := open(t, "ada@x.example")
	want := store.Session{ID: "ses", UserID: "usr_ada@x.example", Status: "idle", CreatedAt: now(), UpdatedAt: now(), Settings: "{}"}
	if err := s.AddSessions(t.Context(), []store.Session{want}); err != nil {
		t.Fatal(err)
	}
	at := now()
	for _, step := range []struct {
		to        string
		after     time.Duration
		completed bool
	}{
		{"pending", time.Minute, false}, {"running", time.Minute, false}, {"idle", time.Hour, true},
		{"pending", -24 * time.Hour, false}, // the clock went back
		{"running", 0, false}, {"idle", 0, true},
	} {
		for _, wrong := range []string{"idle", "pending", "running", "Idle", "done", ""} {
			if wrong == step.to {
				continue
			}
			_, err := s.SetSessionStatus(t.Context(), "ses", wrong, at)
			if err == nil || !strings.Contains(err.Error(), "is "+want.Status+" and can only become "+step.to) {
				t.Errorf("%s -> %q: %v", want.Status, wrong, err)
			}
		}
		if got, err := s.Session(t.Context(), "ses"); err != nil || cmp.Diff(want, got) != "" {
			t.Errorf("a refused change: %v %s", err, cmp.Diff(want, got))
		}
		at = at.Add(step.after)
		want.Status = step.to
		if want.UpdatedAt = want.UpdatedAt.Add(time.Millisecond); at.After(want.UpdatedAt) {
			want.UpdatedAt = at
		}
		want.CompletedAt = time.Time{}
		if step.completed {
			want.CompletedAt = want.UpdatedAt
		}
		got, err := s.SetSessionStatus(t.Context(), "ses", step.to, at)
		if err != nil || cmp.Diff(want, got) != "" {
			t.Errorf("-> %s: %v %s", step.to, err, cmp.Diff(want, got))
		}
		if stored, err := s.Session(t.Context(), "ses"); err != nil || cmp.Diff(got, stored) != "" {
			t.Errorf("returned and stored differ: %v %s", err, cmp.Diff(got, stored))
		}
	}
	if _, err := s.SetSessionStatus(t.Context(), "nowhere", "pending", at); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("unknown: %v", err)
	}
}
