package store_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/service/store"
)

func TestUpdateSettings(t *testing.T) {
	t.Parallel()
	s := open(t, "ada@x.example")
	one := store.Session{
		ID: "ses", UserID: "usr_ada@x.example", Status: "idle", CreatedAt: now(), UpdatedAt: now().Add(time.Hour), Settings: `{"a":1}`,
	}
	if err := s.AddSessions(t.Context(), []store.Session{one}); err != nil {
		t.Fatal(err)
	}
	if err := s.AddSessions(t.Context(), []store.Session{one}); !errors.Is(err, store.ErrExists) {
		t.Errorf("added twice: %v", err)
	}
	broken := errors.New("broken")
	for name, want := range map[string]struct {
		settings string
		err      error
	}{"same": {`{"a":1}`, nil}, "fails": {`{"a":2}`, broken}} {
		_, err := s.UpdateSettings(t.Context(), "ses", now(), func(store.Session) (string, error) { return want.settings, want.err })
		if !errors.Is(err, want.err) {
			t.Errorf("%s: %v", name, err)
		}
		if got, err := s.Session(t.Context(), "ses"); err != nil || cmp.Diff(one, got) != "" {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	got, err := s.UpdateSettings(t.Context(), "ses", now(), func(store.Session) (string, error) { return `{}`, nil })
	if err != nil || !got.UpdatedAt.After(one.UpdatedAt) || got.Settings != "{}" {
		t.Errorf("the time must move forward also when the clock is behind: %+v, %v", got, err)
	}
}
