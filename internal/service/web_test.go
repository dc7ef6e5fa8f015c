package service_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/govctl/govctl/internal/service/servicetest"
)

const keysPage = "/settings/api-keys"

// visitor is somebody with a browser that keeps one cookie.
type visitor struct {
	t      *testing.T
	s      *servicetest.Server
	cookie string
	csrf   string
}

// enter logs in with a key and reads the token of the session.
func enter(t *testing.T, s *servicetest.Server, key string) *visitor {
	t.Helper()
	v := &visitor{t: t, s: s}
	w := v.send(http.MethodPost, "/login", url.Values{"key": {key}}, nil)
	if w.Code != http.StatusSeeOther || v.cookie == "" {
		t.Fatalf("log in: %d %s", w.Code, w.Body)
	}
	v.readToken()
	return v
}

func (v *visitor) readToken() {
	v.t.Helper()
	page := v.get(keysPage)
	m := regexp.MustCompile(`name="csrf" value="([^"]+)"`).FindStringSubmatch(page.Body.String())
	if m == nil {
		v.t.Fatalf("no form: %d %s", page.Code, page.Body)
	}
	v.csrf = m[1]
}

func (v *visitor) get(path string) *httptest.ResponseRecorder {
	v.t.Helper()
	return v.send(http.MethodGet, path, nil, nil)
}

// post sends a form with the token of the session.
func (v *visitor) post(path string, form url.Values) *httptest.ResponseRecorder {
	v.t.Helper()
	if form == nil {
		form = url.Values{}
	}
	form.Set("csrf", v.csrf)
	return v.send(http.MethodPost, path, form, nil)
}

// send sends a request and holds the answer to openapi.yaml.
func (v *visitor) send(method, path string, form url.Values, header http.Header) *httptest.ResponseRecorder {
	v.t.Helper()
	r := httptest.NewRequestWithContext(v.t.Context(), method, path, strings.NewReader(form.Encode()))
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for name, values := range header {
		r.Header[name] = values
	}
	if v.cookie != "" {
		r.Header.Set("Cookie", v.cookie)
	}
	w := httptest.NewRecorder()
	v.s.Service.ServeHTTP(w, r)
	servicetest.Judge(v.t, r, form.Encode(), w)
	for _, c := range w.Result().Cookies() {
		v.cookie = c.Name + "=" + c.Value
		if c.MaxAge < 0 {
			v.cookie = ""
		}
	}
	return w
}

func TestWebNeedsALogin(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	for path, want := range map[string]string{
		keysPage:                "/login",
		"/settings/history":     "/login?next=%2Fsettings%2Fhistory",
		"/settings/history/3":   "/login?next=%2Fsettings%2Fhistory%2F3",
		"/settings/nothing":     "/login?next=%2Fsettings%2Fnothing",
		"/readiness":            "/login?next=%2Freadiness",
		"/usage":                "/login?next=%2Fusage",
		"/settings//evil.test/": "",
	} {
		v := &visitor{t: t, s: s, cookie: "govctl=guessed"}
		w := v.get(path)
		if got := w.Header().Get("Location"); want != "" && (w.Code != http.StatusSeeOther || got != want) {
			t.Errorf("%s: %d to %q, want %q", path, w.Code, got, want)
		}
	}
	v := &visitor{t: t, s: s}
	for name, c := range map[string]struct {
		header http.Header
		want   int
	}{
		"a browser":         {http.Header{"Accept": {"text/html,*/*;q=0.8"}}, http.StatusSeeOther},
		"a program":         {http.Header{"Accept": {"*/*"}}, http.StatusUnauthorized},
		"one that has keys": {http.Header{"Accept": {"text/html"}, "Authorization": {"Bearer " + s.Keys.Owner}}, http.StatusNotFound},
	} {
		if w := v.send(http.MethodGet, "/", nil, c.header); w.Code != c.want {
			t.Errorf("/ for %s: %d, want %d", name, w.Code, c.want)
		}
	}
	for _, key := range []string{"", "gk_a_b", s.Keys.Revoked, strings.Repeat("x", 20<<10)} {
		v := &visitor{t: t, s: s}
		if w := v.send(http.MethodPost, "/login", url.Values{"key": {key}}, nil); w.Code < 400 || w.Code >= 500 || v.cookie != "" {
			t.Errorf("key %.20q: %d, cookie %q", key, w.Code, v.cookie)
		}
	}
}

func TestWebLoginLeadsBack(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	for next, want := range map[string]string{
		"/settings/history/3": "/settings/history/3", "": keysPage, "/": keysPage, "/login": keysPage,
		"//evil.test/settings": keysPage, "https://evil.test/settings": keysPage, `/\evil.test`: keysPage,
		"/settings/../../evil": keysPage, "/settings//evil.test": keysPage, "/api/v0/sessions": keysPage,
		"/settings/%2f%2fevil": keysPage, "javascript:alert(1)": keysPage,
	} {
		v := &visitor{t: t, s: s}
		w := v.send(http.MethodPost, "/login", url.Values{"key": {s.Keys.Owner}, "next": {next}}, nil)
		if got := w.Header().Get("Location"); got != want {
			t.Errorf("%q leads to %q, want %q", next, got, want)
		}
	}
}
