package service_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/govctl/govctl/internal/service/servicetest"
)

// TestBrowser walks through the web application in a real browser: log in, make a key,
// use it, revoke it, see it refused, and see who changed a setting. With
// GOVCTL_SCREENSHOTS=DIR it leaves a picture of every page, for a phone and a desktop,
// light and dark.
func TestBrowser(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	s := servicetest.Start(t)
	b.do(chromedp.Navigate(s.BaseURL+"/settings/api-keys"), chromedp.WaitVisible(`#key`))
	b.shoot("login")
	b.do(chromedp.SendKeys(`#key`, s.Keys.Owner), chromedp.Click(`.stack button`), chromedp.WaitVisible(`#create`))
	b.shoot("keys")
	tourKeys(t, b, s)
	tourHistory(t, b, s)
	for _, name := range []string{"readiness", "usage", "usage?days=90"} {
		b.do(chromedp.Navigate(s.BaseURL+"/"+name), chromedp.WaitVisible(`h1`))
		b.shoot(name)
	}
	b.do(chromedp.Click(`button[name=log-out]`), chromedp.WaitVisible(`#key`))
	b.do(chromedp.Navigate(s.BaseURL+"/settings/history"), chromedp.WaitVisible(`#key`))
}

// tourKeys makes a key, uses it and revokes it.
func tourKeys(t *testing.T, b *browser, s *servicetest.Server) {
	t.Helper()
	b.do(
		chromedp.SendKeys(`#name`, "made in a browser"), chromedp.SetValue(`#role`, "member"),
		chromedp.Click(`#create button`), chromedp.WaitVisible(`#new-key`),
	)
	b.shoot("key-made")
	key := read(b, chromedp.Text(`#new-key`))
	parts := strings.Split(key, "_")
	if len(parts) != 3 {
		t.Fatalf("%q is no API key", key)
	}
	if got := asked(t, s, key); got != http.StatusOK {
		t.Errorf("the new key: %d, want 200", got)
	}
	row := "#key-" + parts[1]
	b.do(chromedp.Navigate(s.BaseURL+"/settings/api-keys"), chromedp.WaitVisible(row))
	if strings.Contains(read(b, chromedp.OuterHTML("html")), parts[2]) {
		t.Error("the text of the key is shown a second time")
	}
	b.do(chromedp.Click(row + " summary"))
	b.shoot("revoke")
	b.do(chromedp.Click(row+" button.danger"), chromedp.WaitVisible(row+" .state.off"))
	if state := read(b, chromedp.Text(row+" .state")); state != "revoked" {
		t.Errorf("the state of the key is %q", state)
	}
	if got := asked(t, s, key); got != http.StatusUnauthorized {
		t.Errorf("the revoked key: %d, want 401", got)
	}
}

// tourHistory sees who switched the sandbox off, and no secret.
func tourHistory(t *testing.T, b *browser, s *servicetest.Server) {
	t.Helper()
	b.do(chromedp.Click(`nav a[href="/settings/history"]`), chromedp.WaitVisible(`#revision-37 .num`))
	b.shoot("history")
	who, what := read(b, chromedp.Text(`#revision-37 .by`)), read(b, chromedp.Text(`#revision-37 .what`))
	if !strings.Contains(who, "linus@acme.example") || !strings.Contains(what, "sandbox") {
		t.Errorf("revision 37: %q changed %q", who, what)
	}
	b.do(chromedp.Click(`#revision-37 .num`), chromedp.WaitVisible(`.change`))
	b.shoot("revision-37")
	page := read(b, chromedp.Text(`main`))
	for _, want := range []string{"Linus Pauling", "/sandbox/enabled", "before", "true", "after", "false"} {
		if !strings.Contains(page, want) {
			t.Errorf("revision 37 does not show %q:\n%s", want, page)
		}
	}
	b.do(chromedp.Navigate(s.BaseURL+"/settings/history/23"), chromedp.WaitVisible(`.change`))
	b.shoot("revision-23")
	if strings.Contains(read(b, chromedp.OuterHTML("html")), "sample-not-a-real-key") {
		t.Error("revision 23 shows a secret")
	}
	b.do(chromedp.Navigate(s.BaseURL+"/settings/history/35"), chromedp.WaitVisible(`.change`))
	b.shoot("revision-35")
}

// asked asks the API with a key and returns the status.
func asked(t *testing.T, s *servicetest.Server, key string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.BaseURL+"/api/v0/sessions?limit=1", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+key)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	return resp.StatusCode
}
