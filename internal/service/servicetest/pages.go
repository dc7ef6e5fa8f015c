package servicetest

import (
	"net/url"
	"reflect"
	"strings"
	"testing"
)

// list is a paged list of the API.
type list struct {
	path string // with its filter, ending in ? or &
	name string // of the array in the answer
	key  string // of the identity of an item
}

func lists() []list {
	return []list{
		{"/api/v0/organization/users?", "users", "id"},
		{"/api/v0/organization/enterprise-controls/history?", "changes", "revision"},
		{"/api/v0/sessions?", "sessions", "sessionId"},
		{"/api/v0/sessions?computerId=cmp_02&", "sessions", "sessionId"},
	}
}

// page fetches one page and checks its pagination.
func (s *suite) page(t *testing.T, l list, role, query string) (items []object, next string) {
	t.Helper()
	body := s.send(t, ask{Path: l.path + query, Key: role}, 200).object(t)
	items = parse[[]object](t, body[l.name])
	p := parse[object](t, body["pagination"])
	next = text(t, p, "nextCursor")
	if more := parse[bool](t, p["hasMore"]); more != (next != "") {
		t.Errorf("C207 U10: hasMore %v with nextCursor %q", more, next)
	}
	return items, next
}

// all walks a list and returns the identities of its items.
func (s *suite) all(t *testing.T, l list, role string, limit int) []string {
	t.Helper()
	ids, cursor := []string{}, ""
	for pages := 0; ; pages++ {
		query := "limit=" + itoa(limit)
		if cursor != "" {
			query += "&cursor=" + url.QueryEscape(cursor)
		}
		items, next := s.page(t, l, role, query)
		for _, item := range items {
			ids = append(ids, string(item[l.key]))
		}
		if next == "" {
			return ids
		}
		if len(items) != limit || pages > 1000 {
			t.Fatalf("C205: a page of %d items and more to come, limit %d", len(items), limit)
		}
		cursor = next
	}
}

func (s *suite) testPages(t *testing.T) {
	cursors := map[string]string{}
	lists := append(lists(), s.messageLists(t)...)
	for _, l := range lists {
		t.Run(l.path, func(t *testing.T) {
			s.testLimitSyntax(t, l)
			whole := s.all(t, l, "", 100)
			t.Run("C205 default is 20", func(t *testing.T) {
				if items, _ := s.page(t, l, "", ""); len(items) != min(20, len(whole)) {
					t.Errorf("%d items", len(items))
				}
			})
			t.Run("C206 C207 every page size gives the same list", func(t *testing.T) {
				for _, limit := range []int{1, 2, 3, 7, 20, 41, 59, 60, 99} {
					if got := s.all(t, l, "", limit); !reflect.DeepEqual(got, whole) {
						t.Errorf("limit %d: %v, want %v", limit, got, whole)
					}
				}
			})
			t.Run("an empty cursor is the first page", func(t *testing.T) {
				got, _ := s.page(t, l, "", "limit=2&cursor=")
				first, _ := s.page(t, l, "", "limit=2")
				if !reflect.DeepEqual(got, first) {
					t.Error("another page")
				}
			})
			if _, next := s.page(t, l, "", "limit=1"); next != "" {
				cursors[l.path] = next
			}
		})
	}
	for _, l := range lists {
		for from, cursor := range cursors {
			if from != l.path {
				s.rows(t, []row{{"U11 cursor of " + from + " on " + l.path, ask{Path: l.path + "cursor=" + cursor}, 400}})
			}
		}
		if good, ok := cursors[l.path]; ok {
			s.testBadCursors(t, l, good)
		}
	}
}

func (s *suite) testBadCursors(t *testing.T, l list, good string) {
	twisted := []byte(good)
	twisted[len(twisted)/2] ^= 1
	bad := map[string]string{
		"not base64": "!!", "cut": good[:len(good)-2], "longer": good + "AAAA", "twisted": string(twisted),
		"padded": good + "=", "one letter": "A", "user id": "usr_001", "number": "3", "long": strings.Repeat("A", 4000),
	}
	for name, cursor := range bad {
		s.rows(t, []row{{"U11 " + name + " cursor on " + l.path, ask{Path: l.path + "cursor=" + url.QueryEscape(cursor)}, 400}})
	}
	s.rows(t, []row{{"U12 two cursors on " + l.path, ask{Path: l.path + "cursor=" + good + "&cursor=" + good}, 400}})
}

func (s *suite) testLimitSyntax(t *testing.T, l list) {
	for _, limit := range []string{"", "0", "-1", "101", "1000000000000000000000", "1.5", "1.0", "1e1", "abc", "+5", "%2B5", " 5", "0x10", "٣", "null", "5&limit=6"} {
		name := "U12 limit " + quote(limit)
		s.rows(t, []row{{name, ask{Path: l.path + "limit=" + strings.ReplaceAll(limit, " ", "%20")}, 400}})
	}
	for _, limit := range []string{"1", "20", "100"} {
		s.rows(t, []row{{"C205 limit " + limit, ask{Path: l.path + "limit=" + limit}, 200}})
	}
}
