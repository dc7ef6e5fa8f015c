package client

import (
	"context"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/api"
)

// collect gathers the ids of a walk and its error.
func collect[T any](seq iter.Seq2[T, error], id func(T) string) (ids []string, err error) {
	for v, e := range seq {
		if e != nil {
			return ids, e
		}
		ids = append(ids, id(v))
	}
	return ids, nil
}

func userID(u api.User) string { return u.ID }

// pagesOf serves users pages by cursor.
func pagesOf(pages map[string]string, asked *[]string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		*asked = append(*asked, r.URL.RawQuery)
		io.WriteString(w, pages[r.URL.Query().Get("cursor")])
	}
}

func page(ids, pagination string) string {
	var users []string
	for _, id := range strings.Fields(ids) {
		users = append(users, fmt.Sprintf(`{"id":%q}`, id))
	}
	return `{"users":[` + strings.Join(users, ",") + `],"pagination":` + pagination + `}`
}

func TestPages(t *testing.T) {
	t.Parallel()
	more := func(cursor string) string { return fmt.Sprintf(`{"hasMore":true,"nextCursor":%q}`, cursor) }
	for _, c := range []struct {
		name  string
		pages map[string]string
		ids   string
		asked int
		err   string
	}{
		{"one", map[string]string{"": page("a b", `{"hasMore":false}`)}, "a b", 1, ""},
		{"none", map[string]string{"": page("", `{"hasMore":false,"nextCursor":null}`)}, "", 1, ""},
		{"cursor on the last page", map[string]string{"": page("a", `{"hasMore":false,"nextCursor":"x"}`)}, "a", 1, ""},
		{"three", map[string]string{"": page("a", more("c=1&x")), "c=1&x": page("b", more("2")), "2": page("c", `{"hasMore":false,"nextCursor":""}`)}, "a b c", 3, ""},
		{"overlap", map[string]string{"": page("a b", more("1")), "1": page("b c", `{"hasMore":false}`)}, "a b b c", 2, ""},
		{"no cursor", map[string]string{"": page("a", `{"hasMore":true}`)}, "a", 1, "without a cursor"},
		{"empty cursor", map[string]string{"": page("a", more(""))}, "a", 1, "without a cursor"},
		{"cycle of one", map[string]string{"": page("a", more("1")), "1": page("b", more("1"))}, "a b", 2, "a cursor comes again"},
		{"cycle of two", map[string]string{"": page("a", more("1")), "1": page("b", more("2")), "2": page("c", more("1"))}, "a b c", 3, "a cursor comes again"},
		{"nothing new", map[string]string{"": page("a b", more("1")), "1": page("b a", more("2"))}, "a b b a", 2, "nothing new"},
		{"empty page", map[string]string{"": page("a", more("1")), "1": page("", more("2"))}, "a", 2, "nothing new"},
		{"no pagination", map[string]string{"": `{"users":[]}`}, "", 1, "$.pagination: the key is missing"},
		{"no hasMore", map[string]string{"": page("a", `{}`)}, "", 1, "$.pagination.hasMore: the key is missing"},
		{"hasMore null", map[string]string{"": page("a", `{"hasMore":null}`)}, "", 1, "$.pagination.hasMore: null"},
		{"no users", map[string]string{"": `{"USERS":[],"pagination":{"hasMore":false}}`}, "", 1, "$.users: the key is missing"},
		{"user without id", map[string]string{"": `{"users":[{"email":"a@x.io"}],"pagination":{"hasMore":false}}`}, "", 1, "$.users[0].id: the key is missing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var asked []string
			ids, err := collect(serve(t, pagesOf(c.pages, &asked)).Users(context.Background()), userID)
			if got := strings.Join(ids, " "); got != c.ids || len(asked) != c.asked {
				t.Errorf("got %q in %d pages, want %q in %d: %v", got, len(asked), c.ids, c.asked, err)
			}
			if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
				t.Errorf("got %v, want %q", err, c.err)
			}
			for _, q := range asked {
				if !strings.Contains(q, "limit=100") {
					t.Errorf("query %q", q)
				}
			}
		})
	}
}

func TestPagesWithoutEnd(t *testing.T) {
	t.Parallel()
	n := 0
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		n++
		io.WriteString(w, page("a b c", fmt.Sprintf(`{"hasMore":true,"nextCursor":"%d"}`, n)))
	})
	if _, err := collect(c.Users(context.Background()), userID); err == nil || n > 2 {
		t.Errorf("%d pages, %v", n, err)
	}
}

func TestHistory(t *testing.T) {
	t.Parallel()
	change := func(n int) string { return fmt.Sprintf(`{"revision":%d,"settings":{},"updatedAt":"t"}`, n) }
	for _, c := range []struct {
		name, ids, want, err string
	}{
		{"descending", "9 7 3", "9 7 3", ""},
		{"ascending", "3 7", "3", "revision 7 comes after 3"},
		{"twice", "3 3", "3", "revision 3 comes after 3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var changes []string
			for _, f := range strings.Fields(c.ids) {
				var n int
				fmt.Sscan(f, &n)
				changes = append(changes, change(n))
			}
			cl := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if got := r.URL.Query().Get("limit"); got != "7" {
					t.Errorf("limit %q", got)
				}
				io.WriteString(w, `{"changes":[`+strings.Join(changes, ",")+`],"pagination":{"hasMore":false}}`)
			})
			got, err := collect(cl.History(context.Background(), 7), func(c api.Change) string { return fmt.Sprint(c.Revision) })
			if strings.Join(got, " ") != c.want || c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

// TestHistoryInCircles: pages that lead back are noticed without remembering them all.
func TestHistoryInCircles(t *testing.T) {
	t.Parallel()
	page := func(n int, pagination string) string {
		return fmt.Sprintf(`{"changes":[{"revision":%d,"settings":{},"updatedAt":"t"}],"pagination":%s}`, n, pagination)
	}
	more := func(cursor string) string { return fmt.Sprintf(`{"hasMore":true,"nextCursor":%q}`, cursor) }
	for name, c := range map[string]struct {
		pages map[string]string
		want  string
		asked int
		err   string
	}{
		"to the end":       {map[string]string{"": page(9, more("a")), "a": page(7, more("b")), "b": page(3, `{"hasMore":false}`)}, "9 7 3", 3, ""},
		"of one":           {map[string]string{"": page(9, more("a")), "a": page(7, more("a"))}, "9 7", 2, "a cursor comes again"},
		"of two":           {map[string]string{"": page(9, more("a")), "a": page(7, more("b")), "b": page(5, more("a"))}, "9 7 5", 4, "revision 7 comes after 5"},
		"to the beginning": {map[string]string{"": page(9, more("a")), "a": page(7, more("b")), "b": page(9, more("c"))}, "9 7", 3, "revision 9 comes after 7"},
		"of empty pages":   {map[string]string{"": page(9, more("a")), "a": `{"changes":[],"pagination":` + more("b") + `}`}, "9", 2, "nothing new"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked []string
			got, err := collect(serve(t, pagesOf(c.pages, &asked)).History(context.Background(), 1), func(c api.Change) string { return fmt.Sprint(c.Revision) })
			if strings.Join(got, " ") != c.want || len(asked) != c.asked || c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
				t.Errorf("got %q in %d pages, %v", got, len(asked), err)
			}
		})
	}
}

// TestGuardForgets: what is remembered of a list that falls does not grow with it.
func TestGuardForgets(t *testing.T) {
	t.Parallel()
	for _, falls := range []bool{true, false} {
		g, want := newGuard(falls), 0
		for i := range 1000 {
			if id := fmt.Sprint(i); !g.item(id) || !g.cursor(id) {
				t.Fatalf("falls %t: %s is not new", falls, id)
			}
		}
		if !falls {
			want = 1000
		}
		if len(g.items) != want || len(g.cursors) != want {
			t.Errorf("falls %t: %d items and %d cursors are remembered, want %d", falls, len(g.items), len(g.cursors), want)
		}
		if g.cursor("999") || !falls && g.item("7") {
			t.Errorf("falls %t: what comes again is new", falls)
		}
	}
}

func TestStoppingEarlyAsksNoMore(t *testing.T) {
	t.Parallel()
	n := 0
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		n++
		io.WriteString(w, `{"changes":[{"revision":9,"settings":{"a":1.50},"updatedAt":"t"}],"pagination":{"hasMore":true,"nextCursor":"x"}}`)
	})
	for h, err := range c.History(context.Background(), 1) {
		if err != nil || string(h.Settings) != `{"a":1.50}` {
			t.Errorf("%s, %v", h.Settings, err)
		}
		break
	}
	if n != 1 {
		t.Errorf("%d pages", n)
	}
}

func TestReports(t *testing.T) {
	t.Parallel()
	report := func(id string) string {
		return fmt.Sprintf(`{"reportId":%q,"createdAt":1,"repoUrl":"u","apps":{},"report":{}}`, id)
	}
	pages := map[string]string{"": report("a") + "," + report("b"), "b": report("b") + "," + report("c"), "c": report("c")}
	asked := 0
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked++
		if r.URL.Path != "/app"+api.PathReadiness {
			t.Errorf("path %s", r.URL.Path)
		}
		io.WriteString(w, `{"reports":[`+pages[r.URL.Query().Get("startAfter")]+`]}`)
	}, func(o *Options) { o.AppURL = o.BaseURL + "/app" })
	ids, err := collect(c.Reports(context.Background()), func(r api.Report) string { return r.ReportID })
	if diff := cmp.Diff([]string{"a", "b", "c"}, ids); diff != "" || err != nil || asked != 3 {
		t.Errorf("%d pages, %v\n%s", asked, err, diff)
	}
}

func TestSessions(t *testing.T) {
	t.Parallel()
	c := serve(t, answer(200, `{"sessions":[{"sessionId":"s1"},{"sessionId":"s2","sessionSettings":{"model":"m","tags":[{"name":"t","metadata":{"k":[1]}}]}}],"pagination":{"hasMore":false}}`))
	ids, err := collect(c.Sessions(context.Background()), func(s api.Session) string { return s.SessionID })
	if diff := cmp.Diff([]string{"s1", "s2"}, ids); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
}

// BenchmarkUsers walks 1,000 pages of 100 over loopback.
func BenchmarkUsers(b *testing.B) {
	body := strings.TrimSuffix(string(usersBody(100)), `"nextCursor":"eyJrIjoidXNlcnMifQ"}}`)
	n := 0
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n++
		fmt.Fprintf(w, `%s"nextCursor":"%d"}}`, strings.Replace(body, "user_01HZX0000000001", fmt.Sprintf("user_%012d", n), 1), n)
	})}
	l := listen(b)
	go s.Serve(l)
	defer s.Close()
	t := pool()
	defer t.CloseIdleConnections()
	c, err := New(Options{BaseURL: "http://" + l.Addr().String(), Key: key, Transport: t})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		users := 0
		for _, err := range c.Users(context.Background()) {
			if err != nil {
				b.Fatal(err)
			}
			if users++; users == 100_000 {
				break
			}
		}
	}
}
