package service_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/govctl/govctl/internal/browsertest"
	"github.com/govctl/govctl/internal/service/servicetest"
)

// css are selectors. Chromium looks for a plain string everywhere, also in a random token
// that happens to contain "h1".
type css = chromedp.CSS

// TestBrowser walks through the web application in a real browser: log in, make a key,
// use it, revoke it, see it refused, and see who changed a setting. With
// GOVCTL_SCREENSHOTS=DIR it leaves a picture of every page, for a phone and a desktop,
// light and dark.
func TestBrowser(t *testing.T) {
	t.Parallel()
	b := browsertest.Start(t)
	s := servicetest.Start(t)
	b.Do(chromedp.Navigate(s.BaseURL+"/settings/api-keys"), chromedp.WaitVisible(css(`#key`)))
	b.Shoot("login", 390, 1280)
	b.Do(chromedp.SendKeys(css(`#key`), s.Keys.Owner), chromedp.Click(css(`.stack button`)), chromedp.WaitVisible(css(`#create`)))
	b.Shoot("keys", 390, 1280)
	tourKeys(t, b, s)
	tourHistory(t, b, s)
	for _, name := range []string{"readiness", "usage", "usage?days=90"} {
		b.Do(chromedp.Navigate(s.BaseURL+"/"+name), chromedp.WaitVisible(css(`h1`)))
		b.Shoot(name, 390, 1280)
	}
	b.Do(chromedp.Click(css(`button[name=log-out]`)), chromedp.WaitVisible(css(`#key`)))
	b.Do(chromedp.Navigate(s.BaseURL+"/settings/history"), chromedp.WaitVisible(css(`#key`)))
}

// tourKeys makes a key, uses it and revokes it.
func tourKeys(t *testing.T, b *browsertest.Browser, s *servicetest.Server) {
	t.Helper()
	b.Do(
		chromedp.SendKeys(css(`#name`), "made in a browser"), chromedp.SetValue(css(`#role`), "member"),
		chromedp.Click(css(`#create button`)), chromedp.WaitVisible(css(`#new-key`)),
	)
	b.Shoot("key-made", 390, 1280)
	key := b.Read(chromedp.Text(css(`#new-key`)))
	parts := strings.Split(key, "_")
	if len(parts) != 3 {
		t.Fatalf("%q is no API key", key)
	}
	if got := asked(t, s, key); got != http.StatusOK {
		t.Errorf("the new key: %d, want 200", got)
	}
	row := css("#key-" + parts[1])
	b.Do(chromedp.Navigate(s.BaseURL+"/settings/api-keys"), chromedp.WaitVisible(row))
	if strings.Contains(b.Read(chromedp.OuterHTML(css("html"))), parts[2]) {
		t.Error("the text of the key is shown a second time")
	}
	b.Do(chromedp.Click(row + " summary"))
	b.Shoot("revoke", 390, 1280)
	b.Do(chromedp.Click(row+" button.danger"), chromedp.WaitVisible(row+" .state.off"))
	if state := b.Read(chromedp.Text(row + " .state")); state != "revoked" {
		t.Errorf("the state of the key is %q", state)
	}
	if got := asked(t, s, key); got != http.StatusUnauthorized {
		t.Errorf("the revoked key: %d, want 401", got)
	}
}

// tourHistory sees who switched the sandbox off, and no secret.
func tourHistory(t *testing.T, b *browsertest.Browser, s *servicetest.Server) {
	t.Helper()
	b.Do(chromedp.Click(css(`nav a[href="/settings/history"]`)), chromedp.WaitVisible(css(`#revision-37 .num`)))
	b.Shoot("history", 390, 1280)
	who, what := b.Read(chromedp.Text(css(`#revision-37 .by`))), b.Read(chromedp.Text(css(`#revision-37 .what`)))
	if !strings.Contains(who, "linus@acme.example") || !strings.Contains(what, "sandbox") {
		t.Errorf("revision 37: %q changed %q", who, what)
	}
	b.Do(chromedp.Click(css(`#revision-37 .num`)), chromedp.WaitVisible(css(`.change`)))
	b.Shoot("revision-37", 390, 1280)
	page := b.Read(chromedp.Text(css(`main`)))
	for _, want := range []string{"Linus Pauling", "/sandbox/enabled", "before", "true", "after", "false"} {
		if !strings.Contains(page, want) {
			t.Errorf("revision 37 does not show %q:\n%s", want, page)
		}
	}
	b.Do(chromedp.Navigate(s.BaseURL+"/settings/history/23"), chromedp.WaitVisible(css(`.change`)))
	b.Shoot("revision-23", 390, 1280)
	if strings.Contains(b.Read(chromedp.OuterHTML(css("html"))), "sample-not-a-real-key") {
		t.Error("revision 23 shows a secret")
	}
	b.Do(chromedp.Navigate(s.BaseURL+"/settings/history/35"), chromedp.WaitVisible(css(`.change`)))
	b.Shoot("revision-35", 390, 1280)
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
