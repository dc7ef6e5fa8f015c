package render

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/govctl/govctl/internal/browsertest"
	"github.com/govctl/govctl/internal/drift"
	"github.com/govctl/govctl/internal/org"
)

// busyDrift is a report of n settings that a few people changed over weeks, some of them
// back again.
func busyDrift(n int) *drift.Report {
	r := driftReports()["drift_full"]
	r.Settings.Changes, r.Settings.Gaps, r.Settings.Untraced = nil, nil, 0
	people := []string{"ada@example.com", "linus@example.com", "grace@example.com", "a.very.long.address.of.somebody@subsidiary.example.com", "", "barbara@example.com"}
	areas := []string{"sandbox", "mcpPolicy", "commandDenylist", "sessionRetentionDays", "networkPolicy"}
	begin := time.Date(2026, 10, 1, 8, 0, 0, 0, time.UTC)
	for i := range n {
		revision := int64(41 + i*60/n)
		who := org.Actor{Email: people[(i*i+i/3)%len(people)]}
		when := begin.Add(time.Duration(revision-41) * 19 * time.Hour).Format(time.RFC3339)
		d := drift.Difference{Path: fmt.Sprintf("/%s/servers/%d/allowLocalBinding", areas[i%len(areas)], i), Change: drift.Changed, Before: drift.Some(i%2 == 0), After: drift.Some(i%2 != 0)}
		c := drift.Change{Difference: d, Revision: revision, Actor: who, UpdatedAt: when, Fingerprint: fmt.Sprintf("%016x", i)}
		switch i % 6 {
		case 1:
			c.Transient, c.DurationMS = true, (31 * time.Hour).Milliseconds()
			c.Began = &drift.Moment{Revision: revision - 1, Actor: org.Actor{Email: people[(i+1)%len(people)]}, UpdatedAt: begin.Add(time.Duration(revision-42) * 19 * time.Hour).Format(time.RFC3339)}
		case 2:
			c.Expected, c.Source = drift.Some(i%2 == 0), new(at("settings.hcl", i))
		}
		r.Settings.Changes = append(r.Settings.Changes, c)
	}
	r.Summary.Drifted = n
	return r
}

// TestDriftPage opens reports in a real browser: on a small phone nothing is wider than the
// screen, nothing is complained about, text can be told from its ground, and ten thousand
// changes open at once. With GOVCTL_SCREENSHOTS=DIR it leaves pictures.
func TestDriftPage(t *testing.T) {
	t.Parallel()
	b := browsertest.Start(t)
	reports := driftReports()
	reports["drift_busy"] = busyDrift(30)
	reports["drift_ignored"] = ignoredDrift()
	reports["drift_huge"] = busyDrift(10000)
	pages := map[string]string{"/favicon.ico": ""}
	for name, r := range reports {
		pages["/"+name] = writeDrift(t, HTML, r)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, pages[r.URL.Path]) }))
	t.Cleanup(server.Close)
	for _, name := range sortedNames(reports) {
		b.Do(chromedp.Navigate(server.URL + "/" + name))
		for _, scheme := range []string{"light", "dark"} {
			b.Scheme(scheme)
			for _, width := range []int64{360, 1440} {
				b.Do(chromedp.EmulateViewport(width, 844))
				if wide := b.Read(chromedp.Evaluate[string](overflowing)); wide != "" {
					t.Errorf("%s at %d px: wider than the screen: %s", name, width, wide)
				}
			}
			if bad := b.Read(chromedp.Evaluate[string](illegible)); bad != "" {
				t.Errorf("%s, %s: too little contrast: %s", name, scheme, bad)
			}
		}
		if bad := b.Read(chromedp.Evaluate[string](unlabelled)); bad != "" {
			t.Errorf("%s: %s", name, bad)
		}
		if name != "drift_huge" {
			b.Shoot(name, 360, 1440)
		}
	}
}

const (
	overflowing = `(() => {
		const most = document.documentElement.clientWidth;
		if (document.documentElement.scrollWidth <= most) return "";
		return [...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > most + 1)
			.slice(0, 5).map(e => e.tagName + "." + (e.getAttribute("class") || "") + " " + e.textContent.slice(0, 40)).join("; ") || "something";
	})()`
	// The ratio of WCAG 2: 4.5 for text.
	illegible = `(() => {
		const rgb = s => s.match(/[0-9.]+/g).map(Number);
		const light = c => { const [r, g, b] = c.slice(0, 3).map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b };
		const ground = e => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0.5) return c } return [255, 255, 255] };
		const bad = new Map();
		for (const e of [...document.querySelectorAll("body *")].slice(0, 3000)) {
			if (e.closest("svg") || ![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())) continue;
			const a = light(rgb(getComputedStyle(e).color)), b = light(ground(e));
			const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
			if (ratio < 4.5) bad.set(e.tagName + "." + e.className, ratio.toFixed(2));
		}
		return [...bad].map(x => x.join(" ")).join("; ");
	})()`
	unlabelled = `(() => {
		const bad = [];
		const ids = [...document.querySelectorAll("[id]")].map(e => e.id);
		const twice = ids.find((id, i) => ids.indexOf(id) !== i);
		if (twice && ids.length < 3000) bad.push("two elements are called " + twice);
		if (document.querySelectorAll("h1").length !== 1) bad.push("not one h1");
		for (const e of document.querySelectorAll("svg[role=img]")) if (!e.getAttribute("aria-label")) bad.push("a picture without words");
		for (const e of document.querySelectorAll("[aria-labelledby]")) if (!document.getElementById(e.getAttribute("aria-labelledby"))) bad.push("no label " + e.getAttribute("aria-labelledby"));
		for (const e of document.querySelectorAll("svg a")) if (!document.querySelector(e.getAttribute("href"))) bad.push("a dot leads nowhere: " + e.getAttribute("href"));
		if (document.querySelector("script")) bad.push("a script");
		return bad.slice(0, 5).join("; ");
	})()`
)

// TestDriftPageNeedsNothing holds that a page names nothing outside of itself.
func TestDriftPageNeedsNothing(t *testing.T) {
	t.Parallel()
	page := writeDrift(t, HTML, busyDrift(60))
	for _, bad := range []string{"<script", "src=", "@import", "url(", "<link", " style=", "javascript:", "onload"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	if !strings.Contains(page, `<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;;`) {
		t.Error("the page has no content security policy")
	}
	if n := strings.Count(writeDrift(t, HTML, busyDrift(10000)), "<article"); n < 10000 {
		t.Errorf("%d of 10,000 changes are there", n)
	}
}
