package service_test

import (
	"strings"
	"testing"
	"time"

	"github.com/govctl/govctl/internal/service/servicetest"
	"github.com/govctl/govctl/internal/service/store"
)

// TestActivityOfStoredTelemetry holds C81, U2 and F35 over HTTP.
func TestActivityOfStoredTelemetry(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	at := time.Date(2026, 11, 18, 9, 0, 0, 0, time.UTC)
	err := s.Service.Store().AddSpans(t.Context(), []store.Span{
		{TraceID: "t", SpanID: "1", UserID: "u1", SessionID: "s1", Name: store.SpanSessionStart, Client: "web", Start: at},
		{TraceID: "t", SpanID: "2", UserID: "u1", SessionID: "s1", Name: store.SpanMessage, Role: "user", Client: "terminal-ui", Start: at},
		{TraceID: "t", SpanID: "3", UserID: "u2", SessionID: "s1", Name: store.SpanMessage, Role: "assistant", Client: "web", Start: at},
		{TraceID: "t", SpanID: "4", UserID: "u2", SessionID: "s1", Name: store.SpanMessage, Role: "user", Client: "bot", Start: at.AddDate(0, 0, 1)},
	})
	if err != nil {
		t.Fatal(err)
	}
	const window = "/api/v1/analytics/activity?startDate=2026-11-17&endDate=2026-11-19"
	for query, want := range map[string]string{
		"": `{"data":[` +
			`{"date":"2026-11-17","daily_active_users":0,"weekly_active_users":0,"monthly_active_users":0,"daily_active_users_by_client":{"non-interactive-cli":0,"terminal-ui":0,"web":0},"sessions":0,"messages":0,"user_messages":0},` +
			`{"date":"2026-11-18","daily_active_users":2,"weekly_active_users":2,"monthly_active_users":2,"daily_active_users_by_client":{"non-interactive-cli":0,"terminal-ui":1,"web":2},"sessions":1,"messages":2,"user_messages":1},` +
			`{"date":"2026-11-19","daily_active_users":1,"weekly_active_users":2,"monthly_active_users":2,"daily_active_users_by_client":{"bot":1,"non-interactive-cli":0,"terminal-ui":0,"web":0},"sessions":0,"messages":1,"user_messages":1}],` +
			`"meta":{"org_id":"org_acme","start_date":"2026-11-17","end_date":"2026-11-19"}}`,
		"&group_by=client": `{"data":[` +
			`{"date":"2026-11-18","group_key":"terminal-ui","daily_active_users":1},{"date":"2026-11-18","group_key":"web","daily_active_users":2},` +
			`{"date":"2026-11-19","group_key":"bot","daily_active_users":1}],"meta":{"org_id":"org_acme","start_date":"2026-11-17","end_date":"2026-11-19"}}`,
	} {
		if got := strings.TrimSpace(request(t, s.Service, s.Keys.Manager, "GET", window+query, "").Body.String()); got != want {
			t.Errorf("%q:\n got %s\nwant %s", query, got, want)
		}
	}
}
