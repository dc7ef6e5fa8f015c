package service_test

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

// browser is a headless Chromium with one tab.
type browser struct {
	t   *testing.T
	ctx context.Context
}

// startBrowser starts Chromium, or skips the test loudly. Whatever the browser complains
// about, a broken content security policy above all, fails the test.
func startBrowser(t *testing.T) *browser {
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
		t.Skipf("SKIPPED: the web application is not tested in a browser, because none of %s is installed", strings.Join(names, ", "))
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
	b := &browser{t, ctx}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1280, 900)); err != nil {
		t.Fatal(err)
	}
	b.failOnComplaints()
	return b
}

func (b *browser) failOnComplaints() {
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

// do carries out steps.
func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// read returns what an action finds on the page.
func read(b *browser, what chromedp.Action[string]) string {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	text, err := chromedp.Run(ctx, what)
	if err != nil {
		b.t.Fatal(err)
	}
	return strings.TrimSpace(text)
}

// shoot leaves pictures of the page, if they are wanted.
func (b *browser) shoot(name string) {
	b.t.Helper()
	dir := os.Getenv("GOVCTL_SCREENSHOTS")
	if dir == "" {
		return
	}
	for device, size := range map[string][2]int64{"phone": {390, 844}, "desktop": {1280, 900}} {
		for _, scheme := range []string{"light", "dark"} {
			media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
			if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, media); err != nil {
				b.t.Fatal(err)
			}
			b.do(chromedp.EmulateViewport(size[0], size[1]))
			png, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
			if err != nil {
				b.t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name+"-"+device+"-"+scheme+".png"), png, 0o644); err != nil {
				b.t.Fatal(err)
			}
		}
	}
	b.do(chromedp.EmulateViewport(1280, 900))
}
