package live

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/api"
)

func TestLookUp(t *testing.T) {
	t.Parallel()
	s := &service{
		computers: []api.Computer{{ID: "c1", Name: "build"}, {ID: "c2", Name: "c1"}, {ID: "c3", Name: "other"}},
		fail:      map[string]error{"name broken": failure(500), "name not a name": failure(400), "id refused": failure(400)},
	}
	list := []Wanted{{Either: "c1"}, {ID: "c1"}, {Name: "build"}, {Either: "c3"}, {Either: "nobody"}, {ID: "nobody"}, {Either: "broken"}, {Either: "not a name"}, {ID: "refused"}}
	found, err := LookUp(context.Background(), s, list, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range found {
		switch {
		case f.Err != nil:
			got = append(got, "error")
		case f.Computer == nil:
			got = append(got, "-")
		default:
			got = append(got, f.Computer.ID)
		}
	}
	if diff := cmp.Diff("c2 c1 c1 c3 - - error - error", strings.Join(got, " ")); diff != "" {
		t.Error(diff)
	}
	s.fail["id c1"] = failure(401)
	if _, err := LookUp(context.Background(), s, list, nil); status(err) != 401 {
		t.Errorf("a refused key: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s.fail["name build"] = context.Canceled
	if _, err := LookUp(ctx, s, []Wanted{{Name: "build"}}, nil); err == nil {
		t.Error("cancelled, and no error")
	}
}
