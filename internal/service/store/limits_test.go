package store_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/service/store"
)

func TestLimits(t *testing.T) {
	t.Parallel()
	s := open(t, "Ada@x.example", "bob@x.example")
	ctx := t.Context()
	found, err := s.SetLimits(ctx, []store.WantLimit{{"ada@X.example", 5}, {"nobody@x.example", 6}, {"bob@x.example", 1<<53 - 1}}, "usr_1", now())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]bool{true, false, true}, found); diff != "" {
		t.Error(diff)
	}
	if err := s.SetLimit(ctx, "ada@x.example", 7, "", now().Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	if err := s.SetLimit(ctx, "nobody@x.example", 7, "", now()); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("limit of nobody: %v", err)
	}
	got, err := s.Limits(ctx)
	if err != nil {
		t.Fatal(err)
	}
	want := []store.Limit{
		{UserID: "usr_Ada@x.example", Email: "Ada@x.example", Value: 7, SetAt: now().Add(time.Second)},
		{UserID: "usr_bob@x.example", Email: "bob@x.example", Value: 1<<53 - 1, SetAt: now(), SetBy: "usr_1"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
