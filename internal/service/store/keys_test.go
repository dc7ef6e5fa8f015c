package store_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/govctl/govctl/internal/service/store"
)

func TestKeys(t *testing.T) {
	t.Parallel()
	s := open(t, "ada@x.example")
	ctx := t.Context()
	text, k, err := s.CreateKey(ctx, store.NewKey{Name: "laptop", UserID: "usr_ada@x.example", ExpiresAt: now().Add(time.Hour)}, now())
	if err != nil {
		t.Fatal(err)
	}
	if len(text) != len("gk_12345678_")+32 || text[:12] != "gk_"+k.Prefix+"_" {
		t.Errorf("key %q with prefix %q", text, k.Prefix)
	}
	check := func(what, key string, at time.Time, role store.Role) {
		t.Helper()
		p, err := s.Authenticate(ctx, key, at)
		if role == "" && !errors.Is(err, store.ErrNotFound) || role != "" && (err != nil || p.Role != role) {
			t.Errorf("%s: %+v, %v; want role %q", what, p, err, role)
		}
	}
	check("new", text, now(), store.Member)
	check("expired", text, now().Add(time.Hour), "")
	last := "x"
	if strings.HasSuffix(text, last) {
		last = "y"
	}
	check("other secret", text[:len(text)-1]+last, now(), "")
	check("prefix alone", "gk_"+k.Prefix+"_", now(), "")
	if err := s.ChangeRole(ctx, "usr_ada@x.example", store.Guest); err != nil {
		t.Fatal(err)
	}
	check("of a guest now", text, now(), store.Guest)
	if err := s.RevokeKey(ctx, k.Prefix, now()); err != nil {
		t.Fatal(err)
	}
	check("revoked", text, now(), "")
	if err := s.RevokeKey(ctx, k.Prefix, now()); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("revoked twice: %v", err)
	}
	robot, _, err := s.CreateKey(ctx, store.NewKey{Name: "robot", Role: store.Manager}, now())
	if err != nil {
		t.Fatal(err)
	}
	check("service account", robot, now(), store.Manager)
	if _, _, err := s.CreateKey(ctx, store.NewKey{Name: "robot"}, now()); err == nil {
		t.Error("a service account without a role")
	}
	if _, _, err := s.CreateKey(ctx, store.NewKey{UserID: "nobody"}, now()); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("key for nobody: %v", err)
	}
	keys, err := s.Keys(ctx)
	if err != nil || len(keys) != 2 {
		t.Errorf("%v, %v", keys, err)
	}
}

func TestKeyOfRemovedMember(t *testing.T) {
	t.Parallel()
	s := open(t, "ada@x.example")
	text, _, err := s.CreateKey(t.Context(), store.NewKey{UserID: "usr_ada@x.example"}, now())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.RemoveUser(t.Context(), "usr_ada@x.example", now()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Authenticate(t.Context(), text, now()); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("still valid: %v", err)
	}
}

// TestKeyCreationCanBeRestricted holds C210.
func TestKeyCreationCanBeRestricted(t *testing.T) {
	t.Parallel()
	s := open(t, "boss@x.example", "ada@x.example")
	ctx := t.Context()
	boss, ada := "usr_boss@x.example", "usr_ada@x.example"
	if err := s.ChangeRole(ctx, boss, store.Manager); err != nil {
		t.Fatal(err)
	}
	create := func(by string) error {
		_, _, err := s.CreateKey(ctx, store.NewKey{UserID: ada, By: by}, now())
		return err
	}
	if err := create(ada); err != nil {
		t.Errorf("without the setting: %v", err)
	}
	if _, err := s.AddRevision(ctx, []byte(`{"restrictApiKeyCreationToManagers":true}`), store.Actor{}, now()); err != nil {
		t.Fatal(err)
	}
	if err := create(ada); !errors.Is(err, store.ErrRestricted) {
		t.Errorf("member: %v", err)
	}
	if err := errors.Join(create(boss), create("")); err != nil {
		t.Errorf("manager or operator: %v", err)
	}
}
