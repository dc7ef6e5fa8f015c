package service_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/govctl/govctl/internal/service/servicetest"
	"github.com/govctl/govctl/internal/service/store"
)

func TestWebHeaders(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	v := enter(t, s, s.Keys.Owner)
	for _, path := range []string{keysPage, "/settings/history", "/settings/history/40", "/settings/nothing", "/readiness", "/usage", "/login", "/assets/app.css"} {
		h := v.get(path).Header()
		for _, want := range []string{"default-src 'none'", "style-src 'self'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"} {
			if !strings.Contains(h.Get("Content-Security-Policy"), want) {
				t.Errorf("%s: policy %q lacks %s", path, h.Get("Content-Security-Policy"), want)
			}
		}
		if strings.Contains(h.Get("Content-Security-Policy"), "unsafe") || h.Get("X-Content-Type-Options") != "nosniff" ||
			h.Get("X-Frame-Options") != "DENY" || h.Get("Referrer-Policy") == "" || h.Get("Cache-Control") == "" {
			t.Errorf("%s: %v", path, h)
		}
	}
	for _, path := range []string{keysPage, "/settings/history/40", "/readiness", "/usage"} {
		if page := v.get(path).Body.String(); regexp.MustCompile(`(?i)<script|<style| style=| on[a-z]+=|javascript:`).MatchString(page) {
			t.Errorf("%s has something the policy forbids", path)
		}
	}
}

func TestWebPagesForManagers(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	for key, want := range map[string]int{s.Keys.Manager: 200, s.Keys.Member: 403, s.Keys.Guest: 403} {
		v := enter(t, s, key)
		for _, path := range []string{"/settings/history", "/settings/history/3", "/usage"} {
			if w := v.get(path); w.Code != want {
				t.Errorf("%s: %d, want %d", path, w.Code, want)
			}
		}
		if w := v.get("/readiness"); w.Code != 200 {
			t.Errorf("/readiness: %d", w.Code)
		}
	}
	v := enter(t, s, s.Keys.Owner)
	for path, want := range map[string]int{
		"/settings/history/0": 404, "/settings/history/43": 404, "/settings/history/x": 404, "/settings/history/42": 200,
		"/settings/history/1": 200, "/settings/history/9223372036854775807": 404, "/settings/history?before=x": 400,
		"/settings/history?before=1": 200, "/usage?days=90": 200, "/usage?days=8": 400, "/usage/x": 404, "/assets/none": 404,
	} {
		if w := v.get(path); w.Code != want {
			t.Errorf("%s: %d, want %d", path, w.Code, want)
		}
	}
}

// TestWebForeignText: names from outside cannot become markup, nor steer their reader,
// and no secret of the settings is on any page.
func TestWebForeignText(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	st := s.Service.Store()
	evil := `<script>alert(1)</script>"'` + "\u202egnp.exe"
	_, err := st.AddRevision(t.Context(), []byte(`{"<img src=x onerror=alert(1)>":"`+"\u202e"+`<b>","customModels":[{"apiKey":"canary-1","baseUrl":"https://u:canary-2@h/?token=canary-3",
		"extraHeaders":{"X-A":"canary-4"},"env":[{"name":"API_KEY","value":"canary-5"}]}],"list":["https://h/?key=canary-6"],"https://u:canary-7@h/":1}`),
		store.Actor{Email: evil, Name: evil}, s.Clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	_, err = st.AddRevision(t.Context(), []byte(`{"customModels":[{"apiKey":"canary-8","baseUrl":"https://u:canary-9@h/"}]}`), store.Actor{ID: evil}, s.Clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := st.CreateKey(t.Context(), store.NewKey{Name: evil, UserID: "usr_001"}, s.Clock.Now()); err != nil {
		t.Fatal(err)
	}
	v := enter(t, s, s.Keys.Owner)
	for _, path := range []string{keysPage, "/settings/history", "/settings/history/43", "/settings/history/44"} {
		page := v.get(path).Body.String()
		for _, bad := range []string{"<script", "<img", "<b>", "\u202e", "canary"} {
			if strings.Contains(page, bad) {
				t.Errorf("%s contains %q", path, bad)
			}
		}
	}
	if page := v.get("/settings/history/44").Body.String(); !strings.Contains(page, "customModels/") || !strings.Contains(page, "the secret part is another one") {
		t.Errorf("a changed secret is no change:\n%s", page)
	}
}
