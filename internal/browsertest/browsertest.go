// Package browsertest drives a headless Chromium for tests of pages.
package browsertest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/chromedp"
)

// Browser is a headless Chromium with one tab.
type Browser struct {
	t   *testing.T
	ctx context.Context
}

// Start starts Chromium, or skips the test loudly. Whatever the browser complains about, a
// broken content security policy above all, fails the test.
func Start(t *testing.T) *Browser {
	t.Helper()
	names := []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome-headless-shell"}
	binary := ""
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			binary = path
			break
		}
	}
	if binary == "" {
		t.Skipf("SKIPPED: pages are not tested in a browser, because none of %s is installed", strings.Join(names, ", "))
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(),
		chromedp.ExecPath(binary), chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.Headless,
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("disable-dev-shm-usage", true),
	)
	t.Cleanup(stop)
	ctx, closeTab := chromedp.NewContext(allocator)
	t.Cleanup(closeTab)
	b := &Browser{t, ctx}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1280, 900)); err != nil {
		t.Fatal(err)
	}
	b.failOnComplaints()
	return b
}

func (b *Browser) failOnComplaints() {
	complaints := make(chan string, 100)
	err := chromedp.Listen(b.ctx, func(event any) {
		if e, ok := event.(*log.EventEntryAdded); ok && e.Entry.Level == log.EntryLevelError {
			complaints <- e.Entry.Text + " " + e.Entry.URL
		}
	})
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := chromedp.Call(b.ctx, log.Enable, struct{}{}); err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() {
		for {
			select {
			case c := <-complaints:
				b.t.Errorf("the browser complains: %s", c)
			default:
				return
			}
		}
	})
}

// patience is how long a page may take.
const patience = 2 * time.Minute

// Do carries out steps.
func (b *Browser) Do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// Read returns the text that an action finds on the page.
func (b *Browser) Read(what chromedp.Action[string]) string {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	text, err := chromedp.Run(ctx, what)
	if err != nil {
		b.t.Fatal(err)
	}
	return strings.TrimSpace(text)
}

// Scheme makes the browser prefer "light" or "dark".
func (b *Browser) Scheme(scheme string) {
	b.t.Helper()
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, media); err != nil {
		b.t.Fatal(err)
	}
}

// Shoot leaves pictures of the page in the directory GOVCTL_SCREENSHOTS names, for a
// phone and a desktop, light and dark; without one it does nothing.
func (b *Browser) Shoot(name string, phone, desktop int64) {
	b.t.Helper()
	dir := os.Getenv("GOVCTL_SCREENSHOTS")
	if dir == "" {
		return
	}
	for device, size := range map[string][2]int64{"phone": {phone, 844}, "desktop": {desktop, 900}} {
		for _, scheme := range []string{"light", "dark"} {
			b.Scheme(scheme)
			b.Do(chromedp.EmulateViewport(size[0], size[1]))
			png, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
			if err != nil {
				b.t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name+"-"+device+"-"+scheme+".png"), png, 0o644); err != nil {
				b.t.Fatal(err)
			}
		}
	}
	b.Do(chromedp.EmulateViewport(1280, 900))
}

// Axe has axe-core, whose source is given, judge the page and returns what it finds that is
// serious or critical: the rule, how bad it is, and the first element.
func (b *Browser) Axe(source string) string {
	b.t.Helper()
	b.Read(chromedp.Evaluate[string](source + "; ''"))
	return b.Read(chromedp.Evaluate[string](`axe.run(document, {resultTypes: ["violations"]}).then(r => r.violations
		.filter(v => v.impact === "serious" || v.impact === "critical")
		.map(v => v.id + " (" + v.impact + ", " + v.nodes.length + "x): " + v.nodes[0].html.slice(0, 160) + " " + (v.nodes[0].failureSummary || "")).join("\n"))`,
		chromedp.EvalAwaitPromise))
}
