package servicetest

import (
	"net/http"
	"testing"
)

func (s *suite) testKeys(t *testing.T) {
	const path = "/api/v0/sessions?limit=1"
	with := func(values ...string) ask {
		return ask{Path: path, Key: "none", Header: http.Header{"Authorization": values}}
	}
	s.rows(t, []row{
		{"C34 C208 no header", ask{Path: path, Key: "none"}, 401},
		{"U71 401 before 404", ask{Path: "/nowhere", Key: "none"}, 401},
		{"U71 401 before 405", ask{Path: path, Key: "none", Method: http.MethodDelete}, 401},
		{"U72 empty header", with(""), 401},
		{"U72 scheme alone", with("Bearer"), 401},
		{"U72 scheme and space", with("Bearer "), 401},
		{"U72 other scheme", with("Basic " + s.Keys.Manager), 401},
		{"U72 key without scheme", with(s.Keys.Manager), 401},
		{"U72 unknown key", with("Bearer gk_aaaaaaaa_bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"), 401},
		{"U72 strange key", with("Bearer ' OR 1=1 --"), 401},
		{"U72 changed key", with("Bearer " + s.Keys.Manager + "x"), 401},
		{"U72 two keys in one header", with("Bearer " + s.Keys.Manager + ", Bearer " + s.Keys.Manager), 401},
		{"U72 two headers", with("Bearer "+s.Keys.Manager, "Bearer "+s.Keys.Manager), 401},
		{"U72 revoked key", ask{Path: path, Key: "revoked"}, 401},
		{"U72 scheme in lower case", with("bearer " + s.Keys.Manager), 200},
		{"U72 scheme in upper case", with("BEARER " + s.Keys.Manager), 200},
	})
	t.Run("U72 401 names the scheme", func(t *testing.T) {
		if got := s.send(t, ask{Path: path, Key: "none"}, 401).Header.Get("WWW-Authenticate"); got[:6] != "Bearer" {
			t.Errorf("WWW-Authenticate %q", got)
		}
	})
}

func (s *suite) testRoles(t *testing.T) {
	day := s.Now().UTC().AddDate(0, 0, -1).Format("2006-01-02")
	managers := map[string]string{
		"C35 C36 C37 activity": "/api/v1/analytics/activity?startDate=" + day + "&endDate=" + day,
		"U69 users":            "/api/v0/organization/users",
		"U69 history":          "/api/v0/organization/enterprise-controls/history",
	}
	for name, path := range managers {
		s.rows(t, []row{
			{name + " owner", ask{Path: path, Key: "owner"}, 200},
			{name + " manager", ask{Path: path, Key: "manager"}, 200},
			{name + " member", ask{Path: path, Key: "member"}, 403},
			{name + " guest", ask{Path: path, Key: "guest"}, 403},
		})
	}
	const limits, computers = "/api/v0/organization/usage/limits/users", "/api/v0/computers"
	s.rows(t, []row{
		{"U69 sessions member", ask{Path: "/api/v0/sessions", Key: "member"}, 200},
		{"U69 sessions guest", ask{Path: "/api/v0/sessions", Key: "guest"}, 200},
		{"U69 computers guest reads", ask{Path: computers + "/nowhere", Key: "guest"}, 404},
		{"U69 limits member", ask{Method: http.MethodPut, Path: limits, Key: "member", Body: "{}"}, 403},
		{"U69 limits guest", ask{Method: http.MethodPut, Path: limits, Key: "guest", Body: "{}"}, 403},
		{"U69 create computer guest", ask{Method: http.MethodPost, Path: computers, Key: "guest", Body: "{}"}, 403},
		{"U69 patch computer guest", ask{Method: http.MethodPatch, Path: computers + "/x", Key: "guest", Body: "{}"}, 403},
		{"U69 install guest", ask{Method: http.MethodPost, Path: computers + "/x/install-deps", Key: "guest"}, 403},
		{"U69 patch session guest", ask{Method: http.MethodPatch, Path: "/api/v0/sessions/x", Key: "guest", Body: "{}"}, 403},
		{"U71 403 before 405", ask{Method: http.MethodDelete, Path: limits, Key: "member"}, 403},
		{"U71 403 before 415", ask{Method: http.MethodPut, Path: limits, Key: "member", Body: "x", Type: "text/plain"}, 403},
		{"U71 403 before 400", ask{Path: "/api/v0/organization/users?limit=0", Key: "member"}, 403},
	})
}
