package service_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/govctl/govctl/internal/pgtest"
	"github.com/govctl/govctl/internal/service"
	"github.com/govctl/govctl/internal/service/servicetest"
)

const limitsPath = "/api/v0/organization/usage/limits/users"

func TestConform(t *testing.T) {
	t.Parallel()
	servicetest.Conform(t, servicetest.Start(t).Target)
}

func TestConformReadOnly(t *testing.T) {
	t.Parallel()
	target := servicetest.Start(t).Target
	target.ReadOnly = true
	servicetest.Conform(t, target)
}

// TestConformTwice runs the suite against what an earlier run left behind.
func TestConformTwice(t *testing.T) {
	t.Parallel()
	target := servicetest.Start(t).Target
	t.Run("first", func(t *testing.T) { servicetest.Conform(t, target) })
	t.Run("second", func(t *testing.T) { servicetest.Conform(t, target) })
}

// request asks the service in process and returns the answer.
func request(t testing.TB, h http.Handler, key, method, path, body string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+key)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestEmptyDatabaseStaysEmpty(t *testing.T) {
	t.Parallel()
	s, err := service.Open(t.Context(), service.Options{Database: pgtest.Database(t), OwnerKey: "sesame"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for path, want := range map[string]string{
		"/api/v0/organization/users":                                             `{"users":[],"pagination":{"hasMore":false,"nextCursor":""}}`,
		"/api/v0/organization/enterprise-controls/history":                       `{"changes":[],"pagination":{"hasMore":false,"nextCursor":""}}`,
		"/api/v0/sessions":                                                       `{"sessions":[],"pagination":{"hasMore":false,"nextCursor":""}}`,
		"/api/v1/analytics/activity?startDate=2026-02-01&endDate=2026-02-01&x=1": "",
	} {
		w := request(t, s, "sesame", "GET", path, "")
		if w.Code != 200 || want != "" && strings.TrimSpace(w.Body.String()) != want {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	if w := request(t, s, "other", "GET", "/api/v0/sessions", ""); w.Code != 401 {
		t.Errorf("another key: %d", w.Code)
	}
	if keys, err := s.Store().Keys(t.Context()); err != nil || len(keys) != 0 {
		t.Errorf("the owner key was stored: %v %v", keys, err)
	}
}

func TestOwnerKeyMayDoEverything(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t, func(o *service.Options) { o.OwnerKey = "sesame" })
	for path, body := range map[string]string{
		"PUT " + limitsPath:              `{"users":[{"email":"ada@acme.example","limit":5}]}`,
		"POST /api/v0/computers":         `{"name":"new"}`,
		"PATCH /api/v0/sessions/ses_001": `{"sessionSettings":{"model":"model-a"}}`,
	} {
		method, path, _ := strings.Cut(path, " ")
		w := request(t, s.Service, "sesame", method, path, body)
		if w.Code >= 300 {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	limits, err := s.Service.Store().Limits(t.Context())
	if err != nil || len(limits) != 1 || limits[0].SetBy != "embedded" {
		t.Errorf("%+v, %v", limits, err)
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	var fault atomic.Value
	fault.Store(service.Fault{})
	s := servicetest.Start(t, func(o *service.Options) {
		o.Fault = func(*http.Request) service.Fault { return fault.Load().(service.Fault) }
	})
	put := func(limit string) (int, error) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, s.BaseURL+limitsPath, strings.NewReader(`{"users":[{"email":"ada@acme.example","limit":`+limit+`}]}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+s.Keys.Owner)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			return 0, err
		}
		defer resp.Body.Close()
		_, err = io.Copy(io.Discard, resp.Body)
		return resp.StatusCode, err
	}
	limit := func() int64 {
		limits, err := s.Service.Store().Limits(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(limits) == 0 {
			return -1
		}
		return limits[0].Value
	}
	fault.Store(service.Fault{Status: 503})
	if status, err := put("1"); status != 503 || err != nil || limit() != -1 {
		t.Errorf("status: %d, %v, limit %d", status, err, limit())
	}
	fault.Store(service.Fault{DropBefore: true})
	if status, err := put("2"); err == nil || limit() != -1 {
		t.Errorf("drop before: %d, limit %d", status, limit())
	}
	fault.Store(service.Fault{DropAfter: true})
	if status, err := put("3"); err == nil || limit() != 3 {
		t.Errorf("drop after: %d, limit %d", status, limit())
	}
	fault.Store(service.Fault{Delay: 1})
	if status, err := put("4"); status != 200 || err != nil || limit() != 4 {
		t.Errorf("delay: %d, %v, limit %d", status, err, limit())
	}
}

// TestRate holds U74 and C218.
func TestRate(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t, func(o *service.Options) { o.RatePerMinute = 3 })
	get := func(key string) *httptest.ResponseRecorder {
		return request(t, s.Service, key, "GET", "/api/v0/sessions?limit=1", "")
	}
	for range 3 {
		if w := get(s.Keys.Owner); w.Code != 200 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	w := get(s.Keys.Owner)
	if w.Code != 429 || w.Header().Get("Retry-After") != "21" && w.Header().Get("Retry-After") != "20" {
		t.Errorf("%d, Retry-After %q", w.Code, w.Header().Get("Retry-After"))
	}
	if w := get(s.Keys.Member); w.Code != 200 {
		t.Errorf("another key: %d", w.Code)
	}
	if w := get("unknown"); w.Code != 401 {
		t.Errorf("unknown key: %d", w.Code)
	}
	s.Clock.Advance(21e9)
	if w := get(s.Keys.Owner); w.Code != 200 {
		t.Errorf("after the wait: %d", w.Code)
	}
}

// TestMaxSpanDays holds U3.
func TestMaxSpanDays(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t, func(o *service.Options) { o.MaxSpanDays = 7 })
	for last, want := range map[string]int{"2026-11-07": 200, "2026-11-08": 400} {
		w := request(t, s.Service, s.Keys.Owner, "GET", "/api/v1/analytics/activity?startDate=2026-11-01&endDate="+last, "")
		if w.Code != want {
			t.Errorf("through %s: %d %s", last, w.Code, w.Body)
		}
	}
}

// TestInternalError holds C38: 500 says nothing about the inside.
func TestInternalError(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t, func(o *service.Options) { o.OwnerKey = "sesame" })
	if err := s.Service.Store().Close(); err != nil {
		t.Fatal(err)
	}
	w := request(t, s.Service, "sesame", "GET", "/api/v0/sessions", "")
	var body map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || w.Code != 500 || strings.Contains(w.Body.String(), "sql") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
