package service_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/govctl/govctl/internal/service"
	"github.com/govctl/govctl/internal/service/servicetest"
)

func metricsOf(t *testing.T, s *servicetest.Server) string {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", http.NoBody)
	w := httptest.NewRecorder()
	s.Service.ServeHTTP(w, r)
	servicetest.Judge(t, r, "", w)
	if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain; version=0.0.4") {
		t.Fatalf("%d %s", w.Code, w.Header().Get("Content-Type"))
	}
	return w.Body.String()
}

// TestMetrics: requests are counted by pattern, and nobody makes up labels.
func TestMetrics(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t, func(o *service.Options) { o.Version = "v1.2.3" })
	for path, key := range map[string]string{
		"/api/v0/sessions?limit=1": s.Keys.Owner, "/api/v0/sessions/ses_001": s.Keys.Owner, "/api/v0/sessions/ses_002": s.Keys.Owner,
		"/api/v0/sessions/canary-session": s.Keys.Owner, "/canary/path": s.Keys.Owner, "/api/v0/organization/users": s.Keys.Guest,
		"/api/v0/computers/name/x": "canary-key", "/login": "", "/settings/history/7": "", "/healthz": "", "/readyz": "",
	} {
		request(t, s.Service, key, http.MethodGet, path, "")
	}
	request(t, s.Service, s.Keys.Owner, "CANARY", "/api/v0/sessions", "")
	text := metricsOf(t, s)
	for _, want := range []string{
		`govctl_http_requests_total{code="2xx",method="GET",route="/api/v0/sessions/{sessionId}"} 2`,
		`govctl_http_requests_total{code="4xx",method="GET",route="/api/v0/sessions/{sessionId}"} 1`,
		`govctl_http_requests_total{code="4xx",method="GET",route="unmatched"} 2`,
		`govctl_http_requests_total{code="4xx",method="GET",route="/api/v0/organization/users"} 1`,
		`govctl_http_requests_total{code="4xx",method="other",route="/api/v0/sessions"} 1`,
		`govctl_http_requests_total{code="2xx",method="GET",route="/login"} 1`,
		`govctl_http_requests_total{code="3xx",method="GET",route="/settings/history/{revision}"} 1`,
		`govctl_http_requests_total{code="2xx",method="GET",route="/readyz"} 1`,
		`govctl_http_request_duration_seconds_bucket{method="GET",route="/login",le="+Inf"} 1`,
		`govctl_http_request_duration_seconds_count{method="GET",route="/login"} 1`,
		"govctl_http_requests_in_flight 1\n", `version="v1.2.3"} 1`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(strings.ToLower(text), "canary") {
		t.Error("what a sender made up is in the metrics")
	}
	line := regexp.MustCompile(`^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z_]+="[^"\\]*"(,[a-z_]+="[^"\\]*")*\})? [0-9.e+-]+)$`)
	for l := range strings.Lines(text) {
		if !line.MatchString(strings.TrimSuffix(l, "\n")) {
			t.Errorf("malformed: %s", l)
		}
	}
	if w := request(t, s.Service, "", http.MethodPost, "/metrics", ""); w.Code != 405 || w.Header().Get("Allow") == "" {
		t.Errorf("POST: %d", w.Code)
	}
}

// TestMetricsCountDropped requests, and they do not stay in flight.
func TestMetricsCountDropped(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t, func(o *service.Options) {
		o.Fault = func(r *http.Request) service.Fault { return service.Fault{DropBefore: r.URL.Path == "/healthz"} }
	})
	resp, err := http.Get(s.BaseURL + "/healthz")
	if err == nil {
		resp.Body.Close()
		t.Fatal("not dropped")
	}
	text := metricsOf(t, s)
	if !strings.Contains(text, `{code="aborted",method="GET",route="unmatched"}`) || !strings.Contains(text, "in_flight 1\n") {
		t.Error(text)
	}
}

// TestReady: 503 when the database does not answer, while healthz is asked by nobody.
func TestReady(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	if w := request(t, s.Service, "", http.MethodGet, "/readyz", ""); w.Code != 200 || !strings.Contains(w.Body.String(), "ready") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := request(t, s.Service, "", http.MethodPost, "/readyz", ""); w.Code != 405 {
		t.Errorf("POST: %d", w.Code)
	}
	if err := s.Service.Store().Close(); err != nil {
		t.Fatal(err)
	}
	if w := request(t, s.Service, "", http.MethodGet, "/readyz", ""); w.Code != 503 || strings.Contains(w.Body.String(), "sql") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestRequestLog: one line per request with the pattern, the status and the request id,
// and nothing that was sent.
func TestRequestLog(t *testing.T) {
	t.Parallel()
	var text bytes.Buffer
	s := servicetest.Start(t, func(o *service.Options) {
		o.Logger = slog.New(slog.NewJSONHandler(&text, nil))
	})
	text.Reset()
	w := request(t, s.Service, s.Keys.Owner, http.MethodGet, "/api/v0/sessions/canary?x=canary", "")
	enter(t, s, s.Keys.Manager)
	var entry struct {
		Msg, ID, Method, Route string
		Status                 int
		Duration               *int64
	}
	if err := json.Unmarshal(bytes.SplitN(text.Bytes(), []byte("\n"), 2)[0], &entry); err != nil {
		t.Fatal(err)
	}
	if entry.Msg != "request" || entry.ID != w.Header().Get("X-Request-Id") || entry.Method != http.MethodGet || entry.Route != "/api/v0/sessions/{sessionId}" ||
		entry.Status != 404 || entry.Duration == nil {
		t.Errorf("%s", text.String())
	}
	for _, secret := range []string{"canary", s.Keys.Owner, s.Keys.Manager} {
		if strings.Contains(text.String(), secret) {
			t.Errorf("the log contains %q", secret)
		}
	}
}
