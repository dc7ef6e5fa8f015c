package servicetest

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// witness remembers what a test would have failed with.
type witness struct {
	testing.TB
	said []string
}

func (w *witness) Errorf(format string, args ...any) {
	w.said = append(w.said, fmt.Sprintf(format, args...))
}

// canned is a transport that always gives the same answer.
type canned struct {
	status int
	header http.Header
	body   string
}

func (c canned) RoundTrip(*http.Request) (*http.Response, error) {
	h := http.Header{"Content-Type": {"application/json"}, "X-Request-Id": {"req_1"}}
	for name, values := range c.header {
		h[name] = values
	}
	return &http.Response{StatusCode: c.status, Header: h, Body: io.NopCloser(strings.NewReader(c.body))}, nil
}

// TestValidateNotices shows that each kind of departure is found, and named.
func TestValidateNotices(t *testing.T) {
	t.Parallel()
	const users, limits = "/api/v0/organization/users", "/api/v0/organization/usage/limits/users"
	const empty = `{"users":[],"pagination":{"hasMore":false,"nextCursor":""}}`
	const problem = `{"title":"t","detail":"d","status":400,"requestId":"req_1"}`
	none := http.Header{}
	for name, tc := range map[string]struct {
		method, path, body string
		answer             canned
		want               string // "" is silence
	}{
		"good":             {"GET", users, "", canned{200, none, empty}, ""},
		"good error":       {"GET", users, "", canned{400, none, problem}, ""},
		"key missing":      {"GET", users, "", canned{200, none, `{"users":[]}`}, "pagination is missing"},
		"key too many":     {"GET", users, "", canned{200, none, strings.Replace(empty, "{", `{"x":1,`, 1)}, "x is not in the document"},
		"wrong type":       {"GET", users, "", canned{200, none, strings.Replace(empty, "[]", "{}", 1)}, "is not array"},
		"wrong inside":     {"GET", users, "", canned{200, none, strings.Replace(empty, "[]", `[{"id":5}]`, 1)}, "users[0].id"},
		"bad e-mail":       {"GET", users, "", canned{200, none, strings.Replace(empty, "[]", `[{"id":"a","email":"A <a@b.example>"}]`, 1)}, "is no email"},
		"cut answer":       {"GET", users, "", canned{200, none, empty[:20]}, "unexpected EOF"},
		"two answers":      {"GET", users, "", canned{200, none, empty + empty}, "text behind the value"},
		"other status":     {"GET", users, "", canned{202, none, empty}, "not declared"},
		"other type":       {"GET", users, "", canned{200, http.Header{"Content-Type": {"text/html"}}, empty}, "Content-Type"},
		"no request id":    {"GET", users, "", canned{200, http.Header{"X-Request-Id": nil}, empty}, "X-Request-Id: is missing"},
		"bad error body":   {"GET", users, "", canned{400, none, `{"error":"x"}`}, "title is missing"},
		"401 needs header": {"GET", users, "", canned{401, none, problem}, "WWW-Authenticate: is missing"},
		"lax limit":        {"GET", users + "?limit=101", "", canned{200, none, empty}, "limit: "},
		"lax repetition":   {"GET", users + "?limit=1&limit=1", "", canned{200, none, empty}, "given 2 times"},
		"lax body":         {"PUT", limits, `{"users":[{"email":"a@b.example","limit":"5"}]}`, canned{200, none, `{"updated":[],"errors":[]}`}, "limit: \"5\" is not integer"},
		"lax count":        {"PUT", limits, `{"users":[]}`, canned{200, none, `{"updated":[],"errors":[]}`}, "0 items"},
		"refusal is free":  {"PUT", limits, `{"users":[]}`, canned{400, none, problem}, ""},
		"missing window":   {"GET", "/api/v1/analytics/activity", "", canned{200, none, `{"data":[],"meta":{"org_id":"o","start_date":"2026-11-01","end_date":"2026-11-01"}}`}, "startDate: is missing"},
		"neither shape":    {"GET", "/api/v1/analytics/activity?startDate=2026-11-01&endDate=2026-11-01", "", canned{200, none, `{"data":[{"date":"2026-11-01"}],"meta":{"org_id":"o","start_date":"2026-11-01","end_date":"2026-11-01"}}`}, "0 of 2 shapes fit"},
		"unknown route":    {"GET", "/api/v0/nothing", "", canned{200, none, empty}, "does not have this request"},
		"unknown method":   {"DELETE", users, "", canned{200, none, empty}, "does not have this request"},
		"right method":     {"GET", "/api/v0/computers/name/install-deps", "", canned{202, none, "{}"}, "not declared"},
	} {
		w := &witness{TB: t}
		req, err := http.NewRequestWithContext(t.Context(), tc.method, "http://x"+tc.path, strings.NewReader(tc.body))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := Validate(w, tc.answer).RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := io.ReadAll(resp.Body); string(got) != tc.answer.body {
			t.Errorf("%s: the answer was changed to %s", name, got)
		}
		if got := strings.Join(w.said, "\n"); !strings.Contains(got, tc.want) || tc.want == "" && got != "" {
			t.Errorf("%s: said %q, want %q", name, got, tc.want)
		}
	}
}
