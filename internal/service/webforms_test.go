package service_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/govctl/govctl/internal/service"
	"github.com/govctl/govctl/internal/service/servicetest"
)

func TestWebCookie(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	v := &visitor{t: t, s: s}
	w := v.send(http.MethodPost, "/login", url.Values{"key": {s.Keys.Owner}}, nil)
	c := w.Result().Cookies()[0]
	if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Secure || c.Path != "/" || len(c.Value) < 40 || strings.Contains(s.Keys.Owner, c.Value) {
		t.Errorf("%+v", c)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "https://example.test/login", strings.NewReader(url.Values{"key": {s.Keys.Owner}}.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	rec := httptest.NewRecorder()
	s.Service.ServeHTTP(rec, r) // httptest sets TLS for https
	c = rec.Result().Cookies()[0]
	if !c.Secure || c.Name != "__Host-govctl" || rec.Header().Get("Strict-Transport-Security") == "" {
		t.Errorf("over TLS: %+v", c)
	}
	first := v.cookie
	v.send(http.MethodPost, "/login", url.Values{"key": {s.Keys.Owner}}, nil)
	if v.cookie == first {
		t.Error("a second login kept the session id")
	}
	old := &visitor{t: t, s: s, cookie: first}
	if w := old.get(keysPage); w.Code != http.StatusSeeOther {
		t.Errorf("the session before the second login: %d", w.Code)
	}
}

// TestWebForms: a form needs the token of its session and must come from this site.
func TestWebForms(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	v := enter(t, s, s.Keys.Owner)
	other := enter(t, s, s.Keys.Owner)
	form := func(csrf string) url.Values {
		return url.Values{"csrf": {csrf}, "name": {"forged"}, "role": {"owner"}, "days": {"30"}}
	}
	for name, c := range map[string]struct {
		form   url.Values
		header http.Header
		want   int
	}{
		"no token":                    {form(""), nil, 403},
		"token of another session":    {form(other.csrf), nil, 403},
		"token with more":             {form(v.csrf + "x"), nil, 403},
		"from another site":           {form(v.csrf), http.Header{"Sec-Fetch-Site": {"cross-site"}}, 403},
		"from a sister site":          {form(v.csrf), http.Header{"Sec-Fetch-Site": {"same-site"}}, 403},
		"of another origin":           {form(v.csrf), http.Header{"Origin": {"https://evil.test"}}, 403},
		"right":                       {form(v.csrf), http.Header{"Sec-Fetch-Site": {"same-origin"}}, 303},
		"right, without fetch header": {form(v.csrf), nil, 303},
	} {
		if w := v.send(http.MethodPost, keysPage, c.form, c.header); w.Code != c.want {
			t.Errorf("%s: %d, want %d", name, w.Code, c.want)
		}
	}
	if w := v.send(http.MethodPost, "/login", url.Values{"key": {s.Keys.Owner}}, http.Header{"Sec-Fetch-Site": {"cross-site"}}); w.Code != 403 {
		t.Errorf("a login from another site: %d", w.Code)
	}
	if w := v.get("/logout"); w.Code != http.StatusMethodNotAllowed && w.Code != http.StatusNotFound {
		t.Errorf("logging out by a link: %d", w.Code)
	}
	if w := v.get(keysPage); w.Code != 200 {
		t.Errorf("logged out by a link: %d", w.Code)
	}
	if w := v.post("/logout", nil); w.Code != 303 || v.cookie != "" {
		t.Errorf("log out: %d, cookie %q", w.Code, v.cookie)
	}
}

// TestWebSessionEnds with its key, with the membership, and with time.
func TestWebSessionEnds(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	st := s.Service.Store()
	out := func(name string, v *visitor) {
		t.Helper()
		if w := v.get(keysPage); w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/login" {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
	v := enter(t, s, s.Keys.Manager)
	if err := st.RevokeKey(t.Context(), strings.Split(s.Keys.Manager, "_")[1], s.Clock.Now()); err != nil {
		t.Fatal(err)
	}
	out("key revoked", v)
	v = enter(t, s, s.Keys.Guest)
	if err := st.RemoveUser(t.Context(), "usr_010", s.Clock.Now()); err != nil {
		t.Fatal(err)
	}
	out("member removed", v)
	v = enter(t, s, issue(t, s, service.NewToken{UserID: "usr_001", TTL: time.Minute}))
	s.Clock.Advance(2 * time.Minute)
	out("token expired", v)
	v = enter(t, s, s.Keys.Owner)
	s.Clock.Advance(59 * time.Minute)
	if w := v.get(keysPage); w.Code != 200 {
		t.Errorf("after 59 minutes: %d", w.Code)
	}
	s.Clock.Advance(61 * time.Minute)
	out("idle", v)
	v = enter(t, s, s.Keys.Owner)
	for range 13 {
		s.Clock.Advance(56 * time.Minute)
		v.get(keysPage)
	}
	out("twelve hours", v)
}
