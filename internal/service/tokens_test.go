package service_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/govctl/govctl/internal/service"
	"github.com/govctl/govctl/internal/service/servicetest"
	"github.com/govctl/govctl/internal/service/store"
)

const (
	anyMembersPath = "/api/v0/sessions?limit=1"
	managersPath   = "/api/v0/organization/users?limit=1"
)

// issue makes a token on the database of a server.
func issue(t *testing.T, s *servicetest.Server, n service.NewToken) string {
	t.Helper()
	if n.TTL == 0 {
		n.TTL = time.Hour
	}
	token, err := service.IssueToken(t.Context(), s.Service.Store(), n, s.Clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	return token.Text
}

// status asks the API in process and returns the status and the detail of a problem.
func status(t *testing.T, s *servicetest.Server, key, path string) (int, string) {
	t.Helper()
	w := request(t, s.Service, key, http.MethodGet, path, "")
	var p struct{ Detail string }
	_ = json.Unmarshal(w.Body.Bytes(), &p)
	return w.Code, p.Detail
}

// TestTokenRoles holds C208 and U73: a token is accepted wherever a key is, and never
// grants more than the member has.
func TestTokenRoles(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	for _, c := range []struct {
		name            string
		token           service.NewToken
		everyone, chief int
	}{
		{"owner", service.NewToken{UserID: "usr_001"}, 200, 200},
		{"manager", service.NewToken{UserID: "usr_002"}, 200, 200},
		{"member", service.NewToken{UserID: "usr_003"}, 200, 403},
		{"guest", service.NewToken{UserID: "usr_010"}, 200, 403},
		{"owner with less", service.NewToken{UserID: "usr_001", Role: service.Guest}, 200, 403},
		{"member who wants more", service.NewToken{UserID: "usr_003", Role: service.Owner}, 200, 403},
		{"service account", service.NewToken{Account: "ci", Role: service.Manager}, 200, 200},
		{"weak service account", service.NewToken{Account: "ci", Role: service.Member}, 200, 403},
	} {
		token := issue(t, s, c.token)
		if got, detail := status(t, s, token, anyMembersPath); got != c.everyone {
			t.Errorf("%s: sessions %d %s, want %d", c.name, got, detail, c.everyone)
		}
		if got, detail := status(t, s, token, managersPath); got != c.chief {
			t.Errorf("%s: users %d %s, want %d", c.name, got, detail, c.chief)
		}
	}
}

// TestTokenFollowsTheMember: what a token grants is looked up for every request.
func TestTokenFollowsTheMember(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	st := s.Service.Store()
	token := issue(t, s, service.NewToken{UserID: "usr_002"})
	if got, _ := status(t, s, token, managersPath); got != 200 {
		t.Fatalf("manager: %d", got)
	}
	if err := st.ChangeRole(t.Context(), "usr_002", store.Member); err != nil {
		t.Fatal(err)
	}
	if got, _ := status(t, s, token, managersPath); got != 403 {
		t.Errorf("a member since a moment ago: %d, want 403", got)
	}
	if err := st.RemoveUser(t.Context(), "usr_002", s.Clock.Now()); err != nil {
		t.Fatal(err)
	}
	if got, _ := status(t, s, token, anyMembersPath); got != 401 {
		t.Errorf("no member any more: %d, want 401", got)
	}
}

// TestTokenTime: exp with 30 s of leeway on both sides.
func TestTokenTime(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	token := issue(t, s, service.NewToken{UserID: "usr_001", TTL: time.Minute})
	for _, c := range []struct {
		wait time.Duration
		want int
	}{{0, 200}, {59 * time.Second, 200}, {30 * time.Second, 200}, {2 * time.Second, 401}} {
		s.Clock.Advance(c.wait)
		got, detail := status(t, s, token, anyMembersPath)
		if got != c.want || got == 401 && detail != "the token has expired" {
			t.Errorf("after %s more: %d %q, want %d", c.wait, got, detail, c.want)
		}
	}
	if err := service.EndTokens(t.Context(), s.Service.Store(), s.Clock.Now()); err != nil {
		t.Fatal(err)
	}
	fresh := issue(t, s, service.NewToken{UserID: "usr_001"})
	if got, _ := status(t, s, fresh, anyMembersPath); got != 200 {
		t.Errorf("a token of the new secret: %d", got)
	}
}

func TestEndTokens(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	token := issue(t, s, service.NewToken{UserID: "usr_001"})
	if err := service.EndTokens(t.Context(), s.Service.Store(), s.Clock.Now()); err != nil {
		t.Fatal(err)
	}
	if got, detail := status(t, s, token, anyMembersPath); got != 401 {
		t.Errorf("a token of the old secret: %d %s", got, detail)
	}
}

func TestIssueTokenRefuses(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	for name, n := range map[string]service.NewToken{
		"no time":            {UserID: "usr_001"},
		"negative time":      {UserID: "usr_001", TTL: -time.Hour},
		"more than a day":    {UserID: "usr_001", TTL: 25 * time.Hour},
		"nobody":             {UserID: "usr_999", TTL: time.Hour},
		"account, no role":   {Account: "ci", TTL: time.Hour},
		"account, no name":   {Role: service.Owner, TTL: time.Hour},
		"unknown role":       {UserID: "usr_001", Role: "root", TTL: time.Hour},
		"a member's id like": {UserID: "service-account:x", TTL: time.Hour},
	} {
		token, err := service.IssueToken(t.Context(), s.Service.Store(), n, s.Clock.Now())
		if err == nil {
			t.Errorf("%s: issued %s", name, token.ID)
		}
		if name == "nobody" && !errors.Is(err, store.ErrNotFound) {
			t.Errorf("nobody: %v", err)
		}
	}
}
