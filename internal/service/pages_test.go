package service_test

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/service/servicetest"
)

// walk pages through a list with page sizes from next and returns its items.
func walk(t testing.TB, s *servicetest.Server, path, name string, next func() int) []string {
	t.Helper()
	var items []string
	for cursor := ""; ; {
		w := request(t, s.Service, s.Keys.Owner, "GET", path+"limit="+strconv.Itoa(next())+"&cursor="+url.QueryEscape(cursor), "")
		var body map[string]json.RawMessage
		var page []json.RawMessage
		var pagination struct {
			HasMore    bool   `json:"hasMore"`
			NextCursor string `json:"nextCursor"`
		}
		for _, err := range []error{json.Unmarshal(w.Body.Bytes(), &body), json.Unmarshal(body[name], &page), json.Unmarshal(body["pagination"], &pagination)} {
			if err != nil {
				t.Fatalf("%v in %s", err, w.Body)
			}
		}
		for _, item := range page {
			items = append(items, string(item))
		}
		if !pagination.HasMore {
			return items
		}
		cursor = pagination.NextCursor
	}
}

// TestPagesOfAnySize: however a list is cut, also into pages of changing size, it is the
// same list (I16 for the v0 lists).
func TestPagesOfAnySize(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	for name, path := range map[string]string{
		"users": "/api/v0/organization/users?", "changes": "/api/v0/organization/enterprise-controls/history?", "sessions": "/api/v0/sessions?",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			whole := walk(t, s, path, name, func() int { return 100 })
			for size := 1; size <= 100; size++ {
				if got := walk(t, s, path, name, func() int { return size }); !slices.Equal(got, whole) {
					t.Errorf("by %d: %d items, want %d", size, len(got), len(whole))
				}
			}
			rapid.Check(t, func(r *rapid.T) {
				got := walk(t, s, path, name, func() int { return rapid.IntRange(1, 100).Draw(r, "size") })
				if !slices.Equal(got, whole) {
					r.Fatalf("%d items, want %d", len(got), len(whole))
				}
			})
		})
	}
}
