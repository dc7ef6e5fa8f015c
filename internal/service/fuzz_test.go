package service_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/govctl/govctl/internal/service/servicetest"
)

// fuzzBody sends any bytes as a body: never a 5xx, always JSON, and a refusal is a 400.
func fuzzBody(f *testing.F, method, path string, seeds ...string) {
	s := servicetest.Start(f)
	for _, seed := range append(seeds, "", "{}", "[]", "null", `{"a":{"a":1,"a":2}}`, "{\"a\":\"\xff\"}") {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		w := request(t, s.Service, s.Keys.Owner, method, path, body)
		if !json.Valid(w.Body.Bytes()) {
			t.Errorf("%q: %s", body, w.Body)
		}
		switch w.Code {
		case 200, 201, 400, 409:
		default:
			t.Errorf("%q: %d %s", body, w.Code, w.Body)
		}
	})
}

func FuzzLimits(f *testing.F) {
	fuzzBody(f, "PUT", limitsPath,
		`{"users":[{"email":"ada@acme.example","limit":1}]}`, `{"users":[{"email":"a@b.c","limit":1e99}]}`,
		`{"users":[{"email":"\ud800@b.c","limit":-0.0e-5}]}`, `{"users":[{"email":"a@b.c","limit":99999999999999999999}]}`)
}

func FuzzSessionPatch(f *testing.F) {
	fuzzBody(f, "PATCH", "/api/v0/sessions/ses_001",
		`{"sessionSettings":{"model":"m","tags":[{"name":"a","metadata":{}}],"tokenUsage":{"inputTokens":1e999}}}`,
		`{"sessionSettings":{"model":null,"enabledToolIds":["x"],"childInclusiveTokenUsageBySessionId":{}}}`)
}

func FuzzComputerPatch(f *testing.F) {
	fuzzBody(f, "PATCH", "/api/v0/computers/cmp_01",
		`{"name":"x","hostId":"6f1c2d3e-0000-4000-8000-000000000001","remoteUser":"u"}`, `{"name":"build-02"}`)
}

func FuzzNewComputer(f *testing.F) {
	fuzzBody(f, "POST", "/api/v0/computers",
		`{"name":"x","provider":"byom","repos":["https://a/b"],"autoInstallDeps":true,"serviceAccountId":"s","source":{"kind":"scratch"}}`)
}

func FuzzCursor(f *testing.F) {
	s := servicetest.Start(f)
	for _, seed := range []string{"", "A", "!!", "dXNyXzAwMQ", "usr_001", "\x00", "AAAAAAAAAAAAAAAAAAAA"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, cursor string) {
		for _, path := range []string{"/api/v0/organization/users", "/api/v0/organization/enterprise-controls/history", "/api/v0/sessions", "/api/v0/sessions/ses_001/messages"} {
			w := request(t, s.Service, s.Keys.Owner, "GET", path+"?limit=1&cursor="+url.QueryEscape(cursor), "")
			if w.Code != 400 && (w.Code != 200 || cursor != "") {
				t.Errorf("%s with %q: %d %s", path, cursor, w.Code, w.Body)
			}
		}
	})
}

func FuzzPath(f *testing.F) {
	s := servicetest.Start(f)
	for _, seed := range []string{"/", "//", "/api/v0/computers/name/..", "/api/v0/computers/%2e", "/api/v0/sessions/%00", "*"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, path string) {
		u, err := url.ParseRequestURI(path)
		if err != nil || !strings.HasPrefix(u.Path, "/") {
			t.Skip("not a path that a request can have")
		}
		r := request(t, s.Service, s.Keys.Owner, "GET", s.BaseURL+u.EscapedPath(), "")
		if r.Code >= 500 || r.Code >= 300 && r.Code < 400 || !json.Valid(r.Body.Bytes()) {
			t.Errorf("%q: %d %s", path, r.Code, r.Body)
		}
	})
}
