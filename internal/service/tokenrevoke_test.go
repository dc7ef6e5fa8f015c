package service_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/govctl/govctl/internal/service"
	"github.com/govctl/govctl/internal/service/servicetest"
)

// TestRevokeToken: a revoked token opens nothing, whichever way it was named; another one
// of the same member still does.
func TestRevokeToken(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	st := s.Service.Store()
	for _, way := range []string{"by its id", "whole"} {
		token, err := service.IssueToken(t.Context(), st, service.NewToken{UserID: "usr_001", TTL: time.Hour}, s.Clock.Now())
		if err != nil {
			t.Fatal(err)
		}
		other := issue(t, s, service.NewToken{UserID: "usr_001"})
		page := enter(t, s, token.Text)
		if got, detail := status(t, s, token.Text, anyMembersPath); got != 200 {
			t.Fatalf("%s, before: %d %s", way, got, detail)
		}
		name := map[string]string{"by its id": token.ID, "whole": token.Text}[way]
		for range 2 { // the second time changes nothing
			if id, err := service.RevokeToken(t.Context(), st, name, s.Clock.Now()); err != nil || id != token.ID {
				t.Errorf("%s: %q, %v", way, id, err)
			}
		}
		if got, detail := status(t, s, token.Text, anyMembersPath); got != 401 || detail != "the token is revoked" {
			t.Errorf("%s: %d %s", way, got, detail)
		}
		if w := page.get(keysPage); w.Code != http.StatusSeeOther {
			t.Errorf("%s: the session it opened: %d", way, w.Code)
		}
		if got, detail := status(t, s, other, anyMembersPath); got != 200 {
			t.Errorf("%s: another token: %d %s", way, got, detail)
		}
	}
}

// TestRevokedTokenNeverComesBack: a revocation lasts until no clock accepts the token,
// leeway included, whatever is revoked meanwhile.
func TestRevokedTokenNeverComesBack(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	st := s.Service.Store()
	for _, ttl := range []time.Duration{time.Second, time.Hour, service.MaxTokenTTL} {
		for _, whole := range []bool{true, false} {
			s.Clock.Advance(999 * time.Millisecond) // the times in a token are whole seconds
			token, err := service.IssueToken(t.Context(), st, service.NewToken{UserID: "usr_001", TTL: ttl}, s.Clock.Now())
			if err != nil {
				t.Fatal(err)
			}
			name := token.ID
			if whole {
				name = token.Text
			}
			if _, err := service.RevokeToken(t.Context(), st, name, s.Clock.Now()); err != nil {
				t.Fatal(err)
			}
			for _, wait := range []time.Duration{ttl - time.Millisecond, time.Millisecond, 29 * time.Second, time.Second, time.Second, time.Second} {
				s.Clock.Advance(wait)
				another, err := service.IssueToken(t.Context(), st, service.NewToken{UserID: "usr_001", TTL: ttl}, s.Clock.Now())
				if err != nil {
					t.Fatal(err)
				}
				if _, err := service.RevokeToken(t.Context(), st, another.ID, s.Clock.Now()); err != nil {
					t.Fatal(err)
				}
				if got, _ := status(t, s, token.Text, anyMembersPath); got != 401 {
					t.Errorf("%s, whole %v, %s later: %d", ttl, whole, wait, got)
				}
			}
			s.Clock.Advance(2 * service.MaxTokenTTL)
			if _, err := service.RevokeToken(t.Context(), st, "tok_"+strings.Repeat("a", 26), s.Clock.Now()); err != nil {
				t.Fatal(err)
			}
			if known, err := st.TokenRevoked(t.Context(), token.ID); known || err != nil {
				t.Errorf("it is never forgotten: %v", err)
			}
		}
	}
}

// TestRevokeTokenRefuses what is no token of this service, and never repeats it.
func TestRevokeTokenRefuses(t *testing.T) {
	t.Parallel()
	s, foreign := servicetest.Start(t), servicetest.Start(t)
	good := issue(t, s, service.NewToken{UserID: "usr_001"})
	for name, token := range map[string]string{
		"another service": issue(t, foreign, service.NewToken{UserID: "usr_001"}),
		"forged":          good[:len(good)-2], "an API key": s.Keys.Owner, "nothing": "", "dots": "..",
		"short id": "tok_abc", "long id": "tok_" + strings.Repeat("a", 27), "id of a key": "k3f7a2bq", "upper case": "TOK_" + strings.Repeat("A", 26),
	} {
		id, err := service.RevokeToken(t.Context(), s.Service.Store(), token, s.Clock.Now())
		if err == nil || token != "" && strings.Contains(err.Error(), token) {
			t.Errorf("%s: %q, %v", name, id, err)
		}
	}
	if got, _ := status(t, s, good, anyMembersPath); got != 200 {
		t.Errorf("the good one: %d", got)
	}
}
