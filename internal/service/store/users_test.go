package store_test

import (
	"errors"
	"testing"

	"github.com/govctl/govctl/internal/service/store"
)

func TestUsersComeAndGo(t *testing.T) {
	t.Parallel()
	s := open(t, "Ada@x.example", "bob@x.example")
	ctx := t.Context()
	if _, err := s.AddUser(ctx, store.User{Email: "aDA@x.example", CreatedAt: now()}); !errors.Is(err, store.ErrExists) {
		t.Errorf("the address in another case: %v", err)
	}
	if err := s.ChangeEmail(ctx, "usr_bob@x.example", "ADA@x.example"); !errors.Is(err, store.ErrExists) {
		t.Errorf("change to a taken address: %v", err)
	}
	if err := s.ChangeEmail(ctx, "usr_bob@x.example", "Robert@x.example"); err != nil {
		t.Fatal(err)
	}
	if u, err := s.UserByEmail(ctx, "ROBERT@x.example"); err != nil || u.Email != "Robert@x.example" || u.Role != store.Member || u.Metadata != "{}" {
		t.Errorf("%+v, %v", u, err)
	}
	if err := s.SetLimit(ctx, "robert@x.example", 5, "", now()); err != nil {
		t.Fatal(err)
	}
	if err := s.RemoveUser(ctx, "usr_bob@x.example", now()); err != nil {
		t.Fatal(err)
	}
	if err := s.RemoveUser(ctx, "usr_bob@x.example", now()); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("removed twice: %v", err)
	}
	if limits, err := s.Limits(ctx); err != nil || len(limits) != 0 {
		t.Errorf("limits of a removed member: %v, %v", limits, err)
	}
	again, err := s.AddUser(ctx, store.User{Email: "robert@x.example", CreatedAt: now()})
	if err != nil || again.ID == "usr_bob@x.example" {
		t.Errorf("joined again as %q, %v", again.ID, err)
	}
	if _, err := s.AddUser(ctx, store.User{Email: "eve@x.example", Metadata: "[]", CreatedAt: now()}); err == nil {
		t.Error("metadata that is no object")
	}
	if err := s.ChangeRole(ctx, "nobody", store.Owner); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("role of nobody: %v", err)
	}
}

func TestFoldEmail(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"Bob@X.Example": "bob@x.example", "\u212aate@x": "\u212aate@x", "ÄÖ@x": "ÄÖ@x", "": ""} {
		if got := store.FoldEmail(in); got != want {
			t.Errorf("fold %q: %q, want %q", in, got, want)
		}
	}
}
