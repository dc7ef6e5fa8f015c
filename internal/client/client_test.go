package client

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/govctl/govctl/internal/api"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const key = "sk-canary-0123456789"

// serve starts a server and a client of it that does not retry.
func serve(t *testing.T, h http.HandlerFunc, change ...func(*Options)) *Client {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return dial(t, s.URL, append([]func(*Options){func(o *Options) { o.Retries = -1 }}, change...)...)
}

func dial(t *testing.T, url string, change ...func(*Options)) *Client {
	t.Helper()
	transport := pool()
	t.Cleanup(transport.CloseIdleConnections)
	o := Options{BaseURL: url, Key: key, Transport: transport}
	for _, f := range change {
		f(&o)
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// answer is a handler that says the same to everything.
func answer(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// apiError is the *api.Error in err.
func apiError(t *testing.T, err error) *api.Error {
	t.Helper()
	var e *api.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want an *api.Error", err)
	}
	return e
}

const machine = `{"id":"cmp_1","name":"build-01","providerType":"byom","createdAt":1}`

func TestNew(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		o  Options
		ok bool
	}{
		{Options{BaseURL: "https://api.example.com/", Key: "k"}, true},
		{Options{BaseURL: "http://127.0.0.1:8080", Key: "k"}, true},
		{Options{BaseURL: "http://localhost", Key: "k"}, true},
		{Options{BaseURL: "http://[::1]:1", Key: "k"}, true},
		{Options{BaseURL: "http://api.example.com", Key: "k"}, false},
		{Options{BaseURL: "http://localhost.example.com", Key: "k"}, false},
		{Options{BaseURL: "http://api.example.com", Key: "k", InsecureHTTP: true}, true},
		{Options{BaseURL: "https://api.example.com", AppURL: "http://app.example.com", Key: "k"}, false},
		{Options{BaseURL: "https://user:pw@api.example.com", Key: "k"}, false},
		{Options{BaseURL: "https://api.example.com?x=1", Key: "k"}, false},
		{Options{BaseURL: "ftp://api.example.com", Key: "k"}, false},
		{Options{BaseURL: "api.example.com", Key: "k"}, false},
		{Options{Key: "k"}, false},
		{Options{BaseURL: "https://api.example.com"}, false},
		{Options{BaseURL: "https://api.example.com", Key: "k\nx"}, false},
	} {
		if _, err := New(c.o); (err == nil) != c.ok {
			t.Errorf("New(%+v): %v", c.o, err)
		}
	}
}

func TestRequestOnTheWire(t *testing.T) {
	t.Parallel()
	var got []string
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = append(got, fmt.Sprintf("%s %s %s", r.Method, r.URL.RequestURI(), body))
		if a := r.Header["Authorization"]; len(a) != 1 || a[0] != "Bearer "+key {
			t.Errorf("Authorization: %q", a)
		}
		for name := range r.Header {
			if strings.Contains(strings.ToLower(name), "idempotency") {
				t.Errorf("%s lets the transport replay a POST (m9)", name)
			}
		}
		switch {
		case strings.HasPrefix(r.URL.Path, "/prefix/api/v0/computers"):
			io.WriteString(w, machine)
		case r.URL.Path == "/prefix"+api.PathLimits:
			io.WriteString(w, `{"updated":[{"email":"A@x.io","limit":5}],"errors":[]}`)
		case r.URL.Path == "/prefix"+api.PathActivity:
			io.WriteString(w, `{"data":[{"odd":1}],"meta":{"org_id":"org_1"}}`)
		default:
			io.WriteString(w, `{"sessionId":"ses_1"}`)
		}
	}, func(o *Options) { o.BaseURL += "/prefix/" })
	ctx, yes, model := context.Background(), true, "m"
	calls := []error{
		second(c.Computer(ctx, "cmp_1")),
		second(c.ComputerByName(ctx, "a/b ü%2e")),
		second(c.ComputerByName(ctx, "install-deps")),
		second(c.CreateComputer(ctx, api.NewComputer{Name: "n", Provider: "byom", AutoInstallDeps: &yes})),
		second(c.UpdateComputer(ctx, "cmp_1", api.ComputerPatch{RemoteUser: "ci"})),
		second(c.InstallDeps(ctx, "cmp_1")),
		second(c.UpdateSession(ctx, "ses_1", api.SessionUpdate{SessionSettings: api.SessionSettings{Model: &model}})),
		second(c.Session(ctx, "ses_1")),
		second(c.PutLimits(ctx, []api.Limit{{Email: "A@x.io", Limit: 5}})),
		second(c.OrganizationID(ctx, time.Date(2026, 11, 3, 23, 0, 0, 0, time.FixedZone("", -7200)))),
	}
	if err := errors.Join(calls...); err != nil {
		t.Error(err)
	}
	want := []string{
		"GET /prefix/api/v0/computers/cmp_1 ",
		"GET /prefix/api/v0/computers/name/a%2Fb%20%C3%BC%252e ",
		"GET /prefix/api/v0/computers/name/install-deps ",
		`POST /prefix/api/v0/computers {"name":"n","provider":"byom","autoInstallDeps":true}`,
		`PATCH /prefix/api/v0/computers/cmp_1 {"remoteUser":"ci"}`,
		"POST /prefix/api/v0/computers/cmp_1/install-deps ",
		`PATCH /prefix/api/v0/sessions/ses_1 {"sessionSettings":{"model":"m"}}`,
		"GET /prefix/api/v0/sessions/ses_1 ",
		`PUT /prefix/api/v0/organization/usage/limits/users {"users":[{"email":"A@x.io","limit":5}]}`,
		"GET /prefix/api/v1/analytics/activity?endDate=2026-11-03&startDate=2026-11-03 ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if sent, retries := c.Requests(); sent != len(want) || retries != 0 {
		t.Errorf("sent %d, retries %d", sent, retries)
	}
	for _, name := range []string{"", ".", ".."} {
		if _, err := c.ComputerByName(ctx, name); err == nil || apiError(t, err).Ambiguous {
			t.Errorf("name %q: %v", name, err)
		}
	}
	for _, n := range []int{0, 101} {
		if _, err := c.PutLimits(ctx, make([]api.Limit, n)); err == nil || apiError(t, err).Ambiguous {
			t.Errorf("%d limits: %v", n, err)
		}
	}
	if sent, _ := c.Requests(); sent != len(want) {
		t.Errorf("refused requests were sent: %d", sent)
	}
}

func second[T any](_ T, err error) error { return err }

func TestReadOnly(t *testing.T) {
	t.Parallel()
	c := serve(t, func(_ http.ResponseWriter, r *http.Request) { t.Errorf("%s was sent", r.Method) }, func(o *Options) { o.ReadOnly = true })
	ctx := context.Background()
	for _, err := range []error{
		second(c.CreateComputer(ctx, api.NewComputer{Name: "n"})), second(c.UpdateComputer(ctx, "x", api.ComputerPatch{})), second(c.InstallDeps(ctx, "x")),
		second(c.UpdateSession(ctx, "x", api.SessionUpdate{})), second(c.PutLimits(ctx, make([]api.Limit, 1))),
	} {
		if !errors.Is(err, ErrReadOnly) || apiError(t, err).Ambiguous {
			t.Errorf("got %v", err)
		}
	}
}

// faults answers every kind of broken answer to a write; ambiguous says whether the
// service may have done what was asked.
func TestFaultsOfAnswers(t *testing.T) {
	t.Parallel()
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	io.WriteString(z, machine)
	z.Close()
	raw := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				io.WriteString(conn, text)
				conn.Close()
			}
		}
	}
	for _, c := range []struct {
		name      string
		h         http.HandlerFunc
		ok        bool
		status    int
		ambiguous bool
		text      string
	}{
		{"good", answer(201, machine), true, 0, false, ""},
		{"wrong content type", answer(200, machine, "Content-Type", "text/html"), true, 0, false, ""},
		{"gzip", answer(200, zipped.String(), "Content-Encoding", "gzip"), true, 0, false, ""},
		{"gzip cut", answer(200, zipped.String()[:zipped.Len()-9], "Content-Encoding", "gzip"), false, 0, true, "unexpected EOF"},
		{"gzip not announced", answer(200, zipped.String()), false, 0, true, "not valid UTF-8"},
		{"longer than sent", raw("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n" + machine), false, 0, true, "unexpected EOF"},
		{"chunks cut", raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n46\r\n" + machine + "\r\n"), false, 0, true, "EOF"},
		{"hung up", raw(""), false, 0, true, "EOF"},
		{"trailing garbage", answer(200, machine+" <html>"), false, 0, true, "something follows"},
		{"empty", answer(200, ""), false, 0, true, "ends too early"},
		{"no content", answer(204, ""), false, 0, true, "ends too early"},
		{"missing key", answer(200, `{"id":"x","Name":"y"}`), false, 0, true, "$.name: the key is missing"},
		{"login page", answer(200, "<html>sign in</html>"), false, 0, true, "status 200"},
		{"bad request", answer(400, `{"title":"Bad Request","detail":"name is taken","status":400,"requestId":"req_1"}`), false, 400, false, "name is taken (request req_1)"},
		{"too many", answer(429, `{}`, "X-Request-Id", "req_2"), false, 429, false, "(request req_2)"},
		{"server error", answer(500, `{"error":{"message":"boom"}}`), false, 500, true, "boom"},
		{"gateway page", answer(502, "<html><head><title>x</title></head><body><h1>502</h1>Bad &amp; broken</body>"), false, 502, true, "502 Bad & broken"},
		{"moved", answer(301, "", "Location", "http://127.0.0.1:1/"), false, 301, false, "redirects are not followed; the service points to http://127.0.0.1:1/"},
		{"see other", answer(303, "", "Location", "/done?token=1"), false, 303, true, "points to /done"},
		{"repeat elsewhere", answer(308, "", "Location", "::bad"), false, 308, false, "redirects are not followed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cl := serve(t, c.h)
			_, err := cl.CreateComputer(context.Background(), api.NewComputer{Name: "n"})
			if sent, _ := cl.Requests(); sent != 1 {
				t.Errorf("sent %d times", sent)
			}
			if c.ok {
				if err != nil {
					t.Error(err)
				}
				return
			}
			e := apiError(t, err)
			if e.Status != c.status || e.Ambiguous != c.ambiguous || !strings.Contains(err.Error(), c.text) {
				t.Errorf("got %+v %q, want status %d, ambiguous %v, %q", e, err, c.status, c.ambiguous, c.text)
			}
			// The same answer to a read is an error and never ambiguous.
			if _, err := cl.Computer(context.Background(), "x"); err == nil || apiError(t, err).Ambiguous {
				t.Errorf("as a read: %v", err)
			}
		})
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("followed to %s with %q", r.URL, r.Header.Get("Authorization"))
	}))
	defer other.Close()
	for _, status := range []int{300, 301, 302, 303, 304, 307, 308} {
		c := serve(t, answer(status, "", "Location", other.URL), func(o *Options) { o.Retries = 3 })
		_, err := c.PutLimits(context.Background(), make([]api.Limit, 1))
		if apiError(t, err).Status != status {
			t.Errorf("PUT with %d: %v", status, err)
		}
		for _, err := range c.Users(context.Background()) {
			if apiError(t, err).Status != status {
				t.Errorf("GET with %d: %v", status, err)
			}
		}
		if sent, _ := c.Requests(); sent != 2 {
			t.Errorf("%d: sent %d", status, sent)
		}
	}
}

func TestNothingWasSent(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(nil)
	s.Close() // nobody listens there now
	c := dial(t, s.URL, func(o *Options) { o.Retries = -1 })
	_, err := c.CreateComputer(context.Background(), api.NewComputer{Name: "n"})
	if e := apiError(t, err); e.Ambiguous || e.Status != 0 || !strings.Contains(err.Error(), "refused") {
		t.Errorf("got %+v %v", e, err)
	}
	tls := httptest.NewUnstartedServer(nil)
	tls.Config.ErrorLog = nil
	tls.Config.ErrorLog = quiet()
	tls.StartTLS()
	defer tls.Close()
	c = dial(t, tls.URL)
	if _, err := c.CreateComputer(context.Background(), api.NewComputer{Name: "n"}); apiError(t, err).Ambiguous {
		t.Errorf("unknown certificate: %v", err)
	}
	if _, err := c.Computer(context.Background(), "x"); err == nil {
		t.Error("no error")
	} else if sent, _ := c.Requests(); sent != 2 {
		t.Errorf("an unknown certificate was tried %d times", sent)
	}
}

func TestAnswerTooLarge(t *testing.T) {
	t.Parallel()
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		block := bytes.Repeat([]byte(" "), 1<<20)
		for range maxBody>>20 + 1 {
			z.Write(block)
		}
		z.Close()
	}, func(o *Options) { o.Retries = 3 })
	if _, err := c.Computer(context.Background(), "x"); err == nil || !strings.Contains(err.Error(), "larger than 64 MiB") {
		t.Errorf("got %v", err)
	}
	if sent, _ := c.Requests(); sent != 1 {
		t.Errorf("sent %d times", sent)
	}
}

// A write whose answer does not come, or that is cancelled once it is there, may have been
// carried out; one that was cancelled before it was sent was not.
func TestTimeout(t *testing.T) {
	t.Parallel()
	arrived, release := make(chan struct{}, 1), make(chan struct{})
	c := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		arrived <- struct{}{}
		<-release
	}, func(o *Options) { o.Timeout = time.Second }) // long enough to send in, also on a busy machine
	defer close(release)
	_, err := c.CreateComputer(context.Background(), api.NewComputer{Name: "n"})
	if e := apiError(t, err); !e.Ambiguous || !strings.Contains(err.Error(), "no whole answer within 1s") {
		t.Errorf("got %v", err)
	}
	<-arrived
	ctx, cancel := context.WithCancel(context.Background())
	c.o.Timeout = time.Hour
	go func() { <-arrived; cancel() }()
	if _, err := c.CreateComputer(ctx, api.NewComputer{Name: "n"}); !errors.Is(err, context.Canceled) || !apiError(t, err).Ambiguous {
		t.Errorf("cancelled under way: %v", err)
	}
	if _, err := c.CreateComputer(ctx, api.NewComputer{Name: "n"}); !errors.Is(err, context.Canceled) || apiError(t, err).Ambiguous {
		t.Errorf("cancelled before: %v", err)
	}
}

// The service must not be able to make govctl print the key or drive a terminal.
func TestErrorsAreClean(t *testing.T) {
	t.Parallel()
	bidi, zero := "\u202e", "\u200b"
	for _, body := range []string{
		`{"detail":"bad key ` + key + `"}`,
		`{"message":"` + strings.ToUpper(key) + `"}`,
		`{"title":"T","error":["Bearer ` + key[:5] + zero + key[5:] + `"]}`,
		`{"detail":"` + key[:5] + `\u001b[31m` + key[5:] + `"}`,
		"\x1b]8;;http://evil\x07link\x1b]8;;\x07 " + key,
		"<p>" + key[:8] + "<b></b>" + key[8:] + "</p><!-- " + key + " -->",
		strings.Repeat("x", 290) + key + strings.Repeat("y", 1000),
		`{"detail":"line\n::error::x\u0000 ` + bidi + `\u2066"}`,
		"\xff\xfe" + key,
		`"` + key + `"`, `[]`, `null`, ``, `{"detail":5}`, `{"error":{"error":{"error":{"error":{"error":"deep"}}}}}`,
	} {
		c := serve(t, answer(400, body, "X-Request-Id", "req "+key))
		_, err := c.Computer(context.Background(), "x")
		e := apiError(t, err)
		text := strings.ToLower(err.Error() + e.Detail + e.RequestID)
		if strings.Contains(text, strings.ToLower(key)) {
			t.Errorf("%q: the key is in %q", body, text)
		}
		if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\u202e' || r == '\u2066' || r == '\u200b' }) || !utf8.ValidString(text) {
			t.Errorf("%q: unsafe text %q", body, text)
		}
		if n := utf8.RuneCountInString(e.Detail); n > 300 {
			t.Errorf("detail of %d characters", n)
		}
	}
	// Transport errors quote the server, too.
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		conn, _, _ := w.(http.Hijacker).Hijack()
		io.WriteString(conn, "HTTP/1.1 "+key+"\r\n\r\n")
		conn.Close()
	})
	_, err := c.Computer(context.Background(), "x")
	for e := err; e != nil; e = errors.Unwrap(e) {
		if strings.Contains(fmt.Sprintf("%v %+v", e, e), key) {
			t.Errorf("the key is in %q", e)
		}
	}
	c = serve(t, answer(200, `{"`+key+`":{"x":}}`))
	if _, err := c.Computer(context.Background(), "x"); err == nil || strings.Contains(err.Error(), key) {
		t.Errorf("decoding: %v", err)
	}
}

func TestWordsOfErrors(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"title":"Bad Request","detail":"d","status":400,"requestId":"r"}`: "d",
		`{"title":"Bad Request"}`:                  "Bad Request",
		`{"error":{"message":"m"}}`:                "m",
		`{"error":"e","message":""}`:               "e",
		`{"errors":[{"message":"first"},{"x":1}]}`: "first",
		`{"message":"m"}`:                          "m",
		`plain text`:                               "plain text",
		`<style>p{}</style><p>A &lt; B</p>`:        " A < B ",
		`{}`:                                       "",
		``:                                         "",
	} {
		detail, _ := explain([]byte(body))
		if strings.TrimSpace(detail) != strings.TrimSpace(want) {
			t.Errorf("%s: %q, want %q", body, detail, want)
		}
	}
}

func TestEvents(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var got []Event
	var n atomic.Int32
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if n.Add(1) == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		io.WriteString(w, machine)
	}, func(o *Options) {
		o.Retries = 1
		o.OnRequest = func(e Event) {
			mu.Lock()
			defer mu.Unlock()
			e.Duration = 0
			got = append(got, e)
		}
	})
	if _, err := c.Computer(context.Background(), "x"); err != nil {
		t.Fatal(err)
	}
	want := []Event{{Method: "GET", Path: "/api/v0/computers/x", Status: 503, Attempt: 1}, {Method: "GET", Path: "/api/v0/computers/x", Status: 200, Attempt: 2}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if sent, retries := c.Requests(); sent != 2 || retries != 1 {
		t.Errorf("sent %d, retries %d", sent, retries)
	}
}
