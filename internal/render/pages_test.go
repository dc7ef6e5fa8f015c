package render

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/govctl/govctl/internal/browsertest"
)

// TestPagesAreAccessible has axe-core judge pages: those of GOVCTL_AXE_PAGES, a directory,
// and reports made here. .ci/verify-formats installs axe-core and runs this.
func TestPagesAreAccessible(t *testing.T) {
	source := os.Getenv("GOVCTL_AXE")
	if source == "" {
		t.Skip("SKIPPED: GOVCTL_AXE names no axe.min.js; .ci/verify-formats accessibility has one")
	}
	axe, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{
		"drift_full": writeDrift(t, HTML, driftReports()["drift_full"]), "drift_busy": writeDrift(t, HTML, busyDrift(30)),
	}
	for name, r := range usageReports() {
		pages[name] = writeUsage(t, HTML, r)
	}
	if dir := os.Getenv("GOVCTL_AXE_PAGES"); dir != "" {
		files, err := filepath.Glob(filepath.Join(dir, "*.html"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no pages in %s: %v", dir, err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			pages[filepath.Base(f)] = string(text)
		}
	}
	b := browsertest.Start(t)
	server := httptest.NewServer(servePages(pages))
	t.Cleanup(server.Close)
	for _, name := range sortedNames(pages) {
		for _, scheme := range []string{"light", "dark"} {
			b.Scheme(scheme)
			for _, width := range []int64{360, 1440} {
				b.Do(chromedp.EmulateViewport(width, 844), chromedp.Navigate(server.URL+"/"+name))
				if bad := b.Axe(string(axe)); bad != "" {
					t.Errorf("%s, %s, %d px:\n%s", name, scheme, width, bad)
				}
			}
		}
	}
}

// servePages serves pages by their names.
func servePages(pages map[string]string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(pages[r.URL.Path[1:]]))
	})
}
