package service_test

import (
	"testing"

	"github.com/govctl/govctl/internal/service/servicetest"
)

// TestUnstorableText: a text that PostgreSQL cannot hold is refused or not found,
// wherever it stands, and never an internal error.
func TestUnstorableText(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	for _, c := range []struct {
		method, path, body string
		want               []int
	}{
		{"GET", "/api/v0/sessions/a%00b", "", []int{404}},
		{"GET", "/api/v0/sessions/a%ffb", "", []int{404}},
		{"GET", "/api/v0/sessions/ses_001/messages/%00", "", []int{404}},
		{"GET", "/api/v0/sessions/%ff/messages", "", []int{404}},
		{"GET", "/api/v0/sessions?computerId=%00", "", []int{200, 400}},
		{"GET", "/api/v0/sessions?computerId=%ff", "", []int{200, 400}},
		{"GET", "/api/v0/computers/%00", "", []int{404}},
		{"GET", "/api/v0/computers/name/%ff", "", []int{400, 404}},
		{"GET", "/api/organization/maturity-level-reports?repoId=%ff", "", []int{200, 400}},
		{"GET", "/api/organization/maturity-level-reports?startAfter=%00", "", []int{400}},
		{"GET", "/api/v1/analytics/users?startDate=2026-11-01&endDate=2026-11-19&cursor=usr%5f0%ff", "", []int{200}},
		{"POST", "/api/v0/computers", `{"name":"a\u0000b"}`, []int{400}},
		{"POST", "/api/v0/computers", `{"name":"ok","serviceAccountId":"a\u0000b"}`, []int{201, 400}},
		{"POST", "/api/v0/computers", `{"name":"ok2","remoteUser":"a\u0000b"}`, []int{201, 400}},
		{"PATCH", "/api/v0/sessions/ses_001", `{"sessionSettings":{"model":"a\u0000b"}}`, []int{200}}, // kept as JSON
		{"PUT", limitsPath, `{"users":[{"email":"a\u0000b@acme.example","limit":1}]}`, []int{200, 400}},
	} {
		w := request(t, s.Service, s.Keys.Owner, c.method, c.path, c.body)
		ok := false
		for _, status := range c.want {
			ok = ok || w.Code == status
		}
		if !ok {
			t.Errorf("%s %s %s: %d %s, want %v", c.method, c.path, c.body, w.Code, w.Body, c.want)
		}
	}
	for _, key := range []string{"gk_\xff_x", "\xff"} {
		if w := request(t, s.Service, key, "GET", "/api/v0/sessions", ""); w.Code != 401 {
			t.Errorf("key %q: %d", key, w.Code)
		}
	}
}
