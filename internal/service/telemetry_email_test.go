package service_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAddresses holds 5.5: the address of a member, else the newest one sent that day, else
// none; a later change does not rewrite a day unless it is built again.
func TestAddresses(t *testing.T) {
	t.Parallel()
	s := bare(t)
	n := 0
	send := func(user, email string) {
		n++
		all := map[string]any{"user.id": user, "session.id": "s", "agent.client": "web"}
		if email != "" {
			all["user.email"] = email
		}
		export(t, s, "sesame", newSpan(n, "agent.git.commit", yesterdayNoon(), all))
	}
	emails := func() map[string]any {
		w := request(t, s, "sesame", "GET", "/api/v1/analytics/users?startDate=2026-11-19&endDate=2026-11-19", "")
		var p page
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		got := map[string]any{}
		for _, r := range p.Data {
			got[r["user_id"].(string)] = r["user_email"]
		}
		return got
	}
	send("u1", "other@x.example")
	send("svc", "")
	send("guest", "g@x.example")
	want := map[string]any{"u1": "u1@acme.example", "svc": nil, "guest": "g@x.example"}
	if diff := cmp.Diff(want, emails()); diff != "" {
		t.Error(diff)
	}
	if err := s.Store().ChangeEmail(t.Context(), "u1", "new@acme.example"); err != nil {
		t.Fatal(err)
	}
	if err := s.BuildDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, emails()); diff != "" {
		t.Error(diff)
	}
	send("u1", "")
	if err := s.BuildDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	want["u1"] = "new@acme.example"
	if diff := cmp.Diff(want, emails()); diff != "" {
		t.Error(diff)
	}
}
