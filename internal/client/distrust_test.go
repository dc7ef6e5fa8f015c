package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/api"
)

// answering is a service inside this process.
type answering func(*http.Request) (status int, body string)

func (f answering) RoundTrip(r *http.Request) (*http.Response, error) {
	status, body := f(r)
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), Request: r, ContentLength: int64(len(body))}, nil
}

func inside(t *testing.T, f answering, change ...func(*Options)) *Client {
	t.Helper()
	o := Options{BaseURL: "https://api.example.com", Key: key, Transport: f, Retries: -1}
	for _, c := range change {
		c(&o)
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A 400 in the middle of the reports means that the one to go on from is gone: the walk
// begins again, once, and still yields every report once (U24).
func TestReportsBeginAgain(t *testing.T) {
	t.Parallel()
	report := func(ids ...string) string {
		var list []string
		for _, id := range ids {
			list = append(list, fmt.Sprintf(`{"reportId":%q,"createdAt":1,"repoUrl":"u","apps":{},"report":{}}`, id))
		}
		return `{"reports":[` + strings.Join(list, ",") + `]}`
	}
	for _, c := range []struct {
		name  string
		pages map[string][]string // by startAfter, one answer after the other; "400" refuses
		want  string
		ok    bool
	}{
		{"gone once", map[string][]string{"": {"a b"}, "b": {"400", "c d"}, "d": {""}}, "a b c d", true},
		{"gone twice", map[string][]string{"": {"a b"}, "b": {"400"}}, "a b", false},
		{"refused at once", map[string][]string{"": {"400"}}, "", false},
		{"newer ones at the top the second time", map[string][]string{"": {"a b", "z a"}, "b": {"400", "c"}, "a": {"b"}, "c": {""}}, "a b z c", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			asked := map[string]int{}
			cl := inside(t, func(r *http.Request) (int, string) {
				after := r.URL.Query().Get("startAfter")
				list := c.pages[after]
				ids := list[min(asked[after], len(list)-1)]
				asked[after]++
				if ids == "400" {
					return 400, `{}`
				}
				return 200, report(strings.Fields(ids)...)
			})
			got, err := collect(cl.Reports(t.Context()), func(r api.Report) string { return r.ReportID })
			if strings.Join(got, " ") != c.want || (err == nil) != c.ok {
				t.Errorf("got %q, %v; want %q", got, err, c.want)
			}
		})
	}
}

// A list that grows for ever ends, and says why.
func TestListsThatGrowForEver(t *testing.T) {
	t.Parallel()
	n := 0
	cl := inside(t, func(*http.Request) (int, string) {
		n++
		return 200, fmt.Sprintf(`{"users":[{"id":"u%d"}],"pagination":{"hasMore":true,"nextCursor":"%d"}}`, n, n)
	})
	if _, err := collect(cl.Users(t.Context()), userID); err == nil || !strings.Contains(err.Error(), "there is no end") || n != maxPages {
		t.Errorf("%d pages, %v", n, err)
	}
	n = 0
	cl = inside(t, func(*http.Request) (int, string) {
		n++
		return 200, fmt.Sprintf(`{"reports":[{"reportId":"r%d","createdAt":1,"repoUrl":"u","apps":{},"report":{}}]}`, n)
	})
	if _, err := collect(cl.Reports(t.Context()), func(r api.Report) string { return r.ReportID }); err == nil || !strings.Contains(err.Error(), "there is no end") || n != maxPages {
		t.Errorf("%d pages, %v", n, err)
	}
}

func TestItemsNeedAnID(t *testing.T) {
	t.Parallel()
	cl := inside(t, func(*http.Request) (int, string) {
		return 200, `{"users":[{"id":"a"},{"id":""}],"pagination":{"hasMore":false}}`
	})
	if got, err := collect(cl.Users(t.Context()), userID); err == nil || len(got) != 1 {
		t.Errorf("got %q, %v", got, err)
	}
}

// A service that echoes the key in a good answer must not bring it anywhere.
func TestKeyIsTakenOutOfAnswers(t *testing.T) {
	t.Parallel()
	for _, k := range []string{key, "a/b<c>&d0123456789", `quo"te\0123456789`} {
		quoted := strings.Trim(fmt.Sprintf("%q", k), `"`)
		for _, echoed := range []string{quoted, strings.ReplaceAll(quoted, "/", `\/`)} {
			cl := inside(t, func(*http.Request) (int, string) {
				return 200, `{"updated":[],"errors":[{"email":"a@x.io","error":"bad key ` + echoed + `"}]}`
			}, func(o *Options) { o.Key = k })
			r, err := cl.PutLimits(t.Context(), oneLimit)
			if err != nil || r.Errors[0].Error != "bad key [key]" {
				t.Errorf("key %q as %s: %+v, %v", k, echoed, r, err)
			}
		}
	}
}

// The wait of a retry ends with Quit, an attempt under way does not, and a first attempt
// is made all the same.
func TestQuit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		quit, stop := context.WithCancel(t.Context())
		s := &script{steps: []step{{status: 503, headers: map[string]string{"Retry-After": "60"}}}}
		c := scripted(t, s, func(o *Options) { o.Quit = quit })
		time.AfterFunc(time.Second, stop)
		began := time.Now()
		_, err := c.PutLimits(context.WithoutCancel(t.Context()), oneLimit)
		if !errors.Is(err, context.Canceled) || time.Since(began) != time.Second || len(s.bodies) != 1 {
			t.Errorf("after %v and %d attempts: %v", time.Since(began), len(s.bodies), err)
		}
		if !apiError(t, err).Ambiguous {
			t.Error("the 503 may have been carried out")
		}
		if _, err := c.Computer(t.Context(), "x"); apiError(t, err).Status != 503 || len(s.bodies) != 2 {
			t.Errorf("a first attempt after it: %d attempts, %v", len(s.bodies), err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		quit, stop := context.WithCancel(t.Context())
		cl := inside(t, func(*http.Request) (int, string) {
			stop()
			time.Sleep(time.Second) // of the synthetic clock
			return 200, limitsDone
		}, func(o *Options) { o.Quit = quit })
		if _, err := cl.PutLimits(t.Context(), oneLimit); err != nil {
			t.Errorf("the attempt under way was not finished: %v", err)
		}
	})
}

// However long a service asks to wait, the budget holds and nothing is sent in a storm.
func TestRetryAfterOfCenturies(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"Fri, 31 Dec 9999 23:59:59 GMT", "2147483648", "18446744073709551616", "9223372036854775807"} {
		synctest.Test(t, func(t *testing.T) {
			s := &script{steps: []step{{status: 503, headers: map[string]string{"Retry-After": value}}}}
			_, err := scripted(t, s, func(o *Options) { o.MaxWait = time.Minute }).Computer(t.Context(), "x")
			if want := []time.Duration{0, time.Minute}; apiError(t, err).Status != 503 || !cmp.Equal(s.at, want) {
				t.Errorf("%s: attempts at %v, want %v", value, s.at, want)
			}
		})
	}
}

func TestUnreadableAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		headers []string
		status  int
		text    string
	}{
		{"an encoding nobody asked for", []string{"Content-Encoding", "br"}, 200, `content encoding "br"`},
		{"on an error too", []string{"Content-Encoding", "zstd"}, 500, `content encoding "zstd" with status 500`},
		{"identity is none", []string{"Content-Encoding", "identity"}, 200, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cl := serve(t, answer(c.status, machine, c.headers...), func(o *Options) { o.Retries = 3 })
			_, err := cl.Computer(t.Context(), "x")
			if sent, _ := cl.Requests(); sent != 1 || (err == nil) != (c.text == "") || err != nil && !strings.Contains(err.Error(), c.text) {
				t.Errorf("%d requests, %v", sent, err)
			}
		})
	}
}

func TestKeysInFreeJSONStandOnce(t *testing.T) {
	t.Parallel()
	for body, ok := range map[string]bool{
		`{"a":1,"b":{"a":1},"c":[{"a":1},{"a":2}]}`: true,
		`{"a":1,"A":2}`:               true,
		`{"a":1,"a":1}`:               false,
		`{"x":[{"y":{"a":1,"a":2}}]}`: false,
		`{"a":1,"\u0061":2}`:          false,
		`[{"k":null,"k":null}]`:       false,
		strings.Repeat("[", 9000) + strings.Repeat("]", 9000): true,
	} {
		var p api.HistoryPage
		if err := new(decoder).decode([]byte(`{"changes":[{"revision":1,"settings":`+body+`,"updatedAt":"t"}],"pagination":{"hasMore":false}}`), &p); (err == nil) != ok {
			t.Errorf("settings %.80s: %v", body, err)
		}
		var u api.UsersPage
		if err := new(decoder).decode([]byte(`{"users":[{"id":"u","metadata":{"m":`+body+`}}],"pagination":{"hasMore":false}}`), &u); (err == nil) != ok {
			t.Errorf("metadata %.80s: %v", body, err)
		}
	}
}

// FuzzExplain holds what an error body of any shape becomes: one short line without the
// key and without a character that steers its reader.
func FuzzExplain(f *testing.F) {
	for _, s := range []string{
		`{"title":"T","detail":"d","status":400,"requestId":"r"}`, `{"error":{"message":"m"}}`, `[{"message":"m"}]`, "<html><body>x &lt; y</body></html>",
		`{"detail":"` + key + `\u001b[31m"}`, "\xff\x00\x1b]0;x\x07", `{"errors":[[[["x"]]]]}`, "", "null", `{"detail":"\u202e"}`,
		key[:9] + "\x1b[0m" + key[9:], "<p>" + key[:9] + "<b>" + key[9:],
	} {
		f.Add([]byte(s))
	}
	c := newCleaner(key)
	f.Fuzz(func(t *testing.T, body []byte) {
		detail, id := explain(body)
		line, id := c.line(detail), c.id(id)
		if utf8.RuneCountInString(line) > maxDetail || !utf8.ValidString(line) {
			t.Fatalf("%q: %d runes", body, utf8.RuneCountInString(line))
		}
		if strings.ContainsFunc(line+id, func(r rune) bool {
			return r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == '\u202e' || r == '\u2028'
		}) {
			t.Fatalf("%q: unsafe %q %q", body, line, id)
		}
		if strings.Contains(strings.ToLower(line+" "+id), key) {
			t.Fatalf("%q: the key is in %q %q", body, line, id)
		}
	})
}

// FuzzRetryAfter holds that no headers make a wait negative or longer than longestAsked.
func FuzzRetryAfter(f *testing.F) {
	f.Add("7", "")
	f.Add("Fri, 31 Dec 9999 23:59:59 GMT", "Mon, 01 Jan 0001 00:00:00 GMT")
	f.Add("Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994")
	f.Add("99999999999999999999", "x")
	f.Fuzz(func(t *testing.T, after, date string) {
		resp := &http.Response{Header: http.Header{"Retry-After": {after}, "Date": {date}}}
		for _, now := range []time.Time{{}, time.Unix(0, 0), time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)} {
			if d := retryAfter(resp, now); d < 0 || d > longestAsked {
				t.Fatalf("Retry-After %q, Date %q at %s: %s", after, date, now, d)
			}
		}
	})
}

// FuzzPages walks pages of any bytes: the walk ends, and what it yields has ids.
func FuzzPages(f *testing.F) {
	f.Add([]byte(`{"users":[{"id":"a"}],"pagination":{"hasMore":true,"nextCursor":"x"}}`), []byte(`{"users":[],"pagination":{"hasMore":false}}`))
	f.Add([]byte(`{"users":[{"id":"a"}],"pagination":{"hasMore":true,"nextCursor":"x"}}`), []byte(`{"users":[{"id":"a"}],"pagination":{"hasMore":true,"nextCursor":"y"}}`))
	f.Add([]byte(`{"users":[],"pagination":{"hasMore":true}}`), []byte(`x`))
	f.Fuzz(func(t *testing.T, first, second []byte) {
		n := 0
		cl := inside(t, func(*http.Request) (int, string) {
			if n++; n == 1 {
				return 200, string(first)
			}
			return 200, string(second)
		})
		ids, err := collect(cl.Users(t.Context()), userID)
		if n > 3 {
			t.Fatalf("%d requests for two pages of %q and %q: %v", n, first, second, err)
		}
		for _, id := range ids {
			if id == "" {
				t.Fatalf("a user without an id from %q and %q", first, second)
			}
		}
	})
}
