package store_test

import (
	"testing"

	"github.com/govctl/govctl/internal/service/store"
)

func TestRevisions(t *testing.T) {
	t.Parallel()
	s := open(t)
	ctx := t.Context()
	for i, settings := range []string{`{"a":1}`, " {\n\"b\" : [ 1.50 ] } ", `{}`} {
		n, err := s.AddRevision(ctx, []byte(settings), store.Actor{ID: "a", Email: "b", Name: "c"}, now())
		if err != nil || n != int64(i+1) {
			t.Fatalf("%d, %v", n, err)
		}
	}
	for _, bad := range []string{"", "[]", "null", "{", "5", `{} {}`} {
		if n, err := s.AddRevision(ctx, []byte(bad), store.Actor{}, now()); err == nil {
			t.Errorf("%q became revision %d", bad, n)
		}
	}
	got, err := s.Revisions(ctx, 3, 10)
	if err != nil || len(got) != 2 || got[0].Number != 2 || got[0].Settings != `{"b":[1.50]}` || got[1].Number != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}
