package notify

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/slack-go/slack"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/client"
	"github.com/govctl/govctl/internal/drift"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/render"
)

var now = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// post is one request that a receiver got.
type post struct {
	header http.Header
	body   string
}

// receiver is a server that answers with statuses in turn, the last one for ever. 0 hangs
// up without an answer.
type receiver struct {
	*httptest.Server
	mu    sync.Mutex
	posts []post
}

func receive(t *testing.T, statuses ...int) *receiver {
	t.Helper()
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		r.mu.Lock()
		n := len(r.posts)
		r.posts = append(r.posts, post{req.Header.Clone(), string(body)})
		r.mu.Unlock()
		switch status := statuses[min(n, len(statuses)-1)]; status {
		case 0:
			panic(http.ErrAbortHandler)
		case http.StatusFound:
			http.Redirect(w, req, "/elsewhere", status)
		default:
			w.WriteHeader(status)
			_, _ = io.WriteString(w, "ok")
		}
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) seen() []post {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.posts
}

func sender(retries int) *Sender {
	return NewSender(client.Elsewhere{Timeout: 5 * time.Second, MaxWait: 5 * time.Second, Retries: retries}, "govctl/test", false, func() time.Time { return now })
}

func report() *drift.Report {
	r := &drift.Report{
		FormatVersion: drift.FormatVersion, CreatedAt: now, Project: "acme", Verdict: drift.Drifted,
		Target: org.Target{Organization: "org_acme"}, Coverage: drift.Coverage{Complete: true}, Summary: drift.Summary{Drifted: 2},
	}
	r.Settings.ToRevision = 45
	for i, path := range []string{"/old", "/sandbox/enabled"} {
		r.Settings.Changes = append(r.Settings.Changes, drift.Change{
			Difference: drift.Difference{Path: path, Change: drift.Changed, Before: drift.Some(true), After: drift.Some(false)},
			Revision:   44, Actor: org.Actor{Email: "grace@example.com"}, UpdatedAt: "2026-11-05T09:00:00Z", Fingerprint: string(rune('a' + i)),
		})
	}
	return r
}

func TestWebhook(t *testing.T) {
	t.Parallel()
	r := receive(t, http.StatusNoContent)
	n := OfDrift(report(), map[string]bool{"b": true}, "https://ci.example.com/1")
	secret := "whsec_" + base64.StdEncoding.EncodeToString([]byte("a key of some length"))
	if err := sender(-1).Webhook(t.Context(), r.URL+"/hook?token=t0ken", secret, n); err != nil {
		t.Fatal(err)
	}
	got := r.seen()[0]
	var back Notice
	if err := json.Unmarshal([]byte(got.body), &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(n, back); diff != "" {
		t.Errorf("the body (-sent +received):\n%s", diff)
	}
	if len(back.Items) != 2 || back.Items[0].Key != "/sandbox/enabled" || !back.Items[0].New || back.Items[1].New || back.New != 1 {
		t.Errorf("what is new is not first: %+v", back.Items)
	}
	id, at := got.header.Get("Webhook-Id"), got.header.Get("Webhook-Timestamp")
	h := hmac.New(sha256.New, []byte("a key of some length"))
	io.WriteString(h, id+"."+at+"."+got.body)
	if want := "v1," + base64.StdEncoding.EncodeToString(h.Sum(nil)); got.header.Get("Webhook-Signature") != want || id != n.ID || at != "1795165200" {
		t.Errorf("id %q, time %q, signature %q, want %q", id, at, got.header.Get("Webhook-Signature"), want)
	}
	if again := OfDrift(report(), map[string]bool{"b": true}, ""); again.ID != n.ID {
		t.Error("the same news has another id")
	}
}

// TestFailures: a receiver that is busy for a moment is asked again, one that refuses is
// not, and no error says where it is.
func TestFailures(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		statuses []int
		posts    int
		err      string
	}{
		"busy, then well": {[]int{503, 429, 200}, 3, ""},
		"hangs up":        {[]int{0, 200}, 2, ""},
		"always down":     {[]int{500}, 3, "it answered with status 500"},
		"refuses":         {[]int{403}, 1, "it answered with status 403"},
		"redirects":       {[]int{http.StatusFound}, 1, "it answered with status 302"},
		"never there":     {[]int{0}, 3, "no answer: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for kind, send := range map[string]func(s *Sender, address string) error{
				"webhook": func(s *Sender, a string) error { return s.Webhook(t.Context(), a, "key", OfDrift(report(), nil, "")) },
				"slack":   func(s *Sender, a string) error { return s.Slack(t.Context(), a, OfDrift(report(), nil, "")) },
			} {
				r := receive(t, c.statuses...)
				err := send(sender(2), r.URL+"/services/s3cret?key=s3cret")
				said := ""
				if err != nil {
					said = err.Error()
				}
				if !strings.HasPrefix(said, c.err) || (said == "") != (c.err == "") || strings.Contains(said, "s3cret") || strings.Contains(said, "/services") {
					t.Errorf("%s: %q, want %q", kind, said, c.err)
				}
				if n := len(r.seen()); n != c.posts {
					t.Errorf("%s: %d posts, want %d", kind, n, c.posts)
				}
			}
		})
	}
}

// TestSlow: who does not answer in time does not hold a run.
func TestSlow(t *testing.T) {
	t.Parallel()
	wait := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-wait }))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(wait) })
	s := NewSender(client.Elsewhere{Timeout: 50 * time.Millisecond, MaxWait: time.Second, Retries: -1}, "", false, func() time.Time { return now })
	if err := s.Webhook(t.Context(), server.URL, "", OfFailure("acme", "x", now, "")); err == nil || !strings.Contains(err.Error(), "Timeout") {
		t.Errorf("got %v", err)
	}
}

func TestCheckAddress(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"https://hooks.example.com/x?y": true, "http://127.0.0.1:1/": true, "http://localhost/": true, "http://[::1]/": true,
		"http://example.com/s3cret": false, "ftp://example.com/s3cret": false, "s3cret": false, "https://": false, "http://[s3cret": false, "": false,
	} {
		err := CheckAddress(address, false)
		if (err == nil) != want || err != nil && strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%q: %v", address, err)
		}
	}
	if err := CheckAddress("http://example.com/", true); err != nil {
		t.Error(err)
	}
}

// TestSlackAnything holds Slack's limits, and that no foreign word becomes markup: every
// < is one of ours.
func TestSlackAnything(t *testing.T) {
	t.Parallel()
	hostile := []string{"<!channel>", "<@U123>", "<https://evil.example|ok>", "`*x*`", "@here", "&lt;!here&gt;", ":tada:", strings.Repeat("x", 400), "_a_", "~b~", "\u202e"}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.SampledFrom(hostile), rapid.String())
		n := Notice{Project: render.Clean(text.Draw(t, "project")), Organization: text.Draw(t, "organization"), Text: text.Draw(t, "text"), Revision: 3, More: rapid.IntRange(0, 5).Draw(t, "more"), Link: text.Draw(t, "link")}
		for range rapid.IntRange(0, 60).Draw(t, "items") {
			n.Items = append(n.Items, render.DriftItem{Key: text.Draw(t, "key"), What: text.Draw(t, "what"), Who: text.Draw(t, "who"), New: true})
		}
		m := slackMessage(n)
		if len(m.Blocks.BlockSet) > 50 {
			t.Fatalf("%d blocks", len(m.Blocks.BlockSet))
		}
		check := func(s string) {
			if utf8.RuneCountInString(s) > maxSection || s == "" {
				t.Fatalf("%d characters", utf8.RuneCountInString(s))
			}
			if i := strings.Index(s, "<"); i >= 0 && !strings.HasSuffix(s, "|the run>") || strings.Count(s, "<") > 1 {
				t.Fatalf("markup in %q", s)
			}
			if strings.Count(s, "`")%2 != 0 {
				t.Fatalf("a span that is left: %q", s)
			}
		}
		check(m.Text)
		for _, b := range m.Blocks.BlockSet {
			switch b := b.(type) {
			case *slack.HeaderBlock:
				if utf8.RuneCountInString(b.Text.Text) > maxHeader || b.Text.Type != slack.PlainTextType {
					t.Fatalf("header %+v", b.Text)
				}
			case *slack.SectionBlock:
				check(b.Text.Text)
			case *slack.ContextBlock:
				for _, e := range b.ContextElements.Elements {
					check(e.(*slack.TextBlockObject).Text)
				}
			}
		}
	})
}

// TestSlackMessage holds what a channel reads.
func TestSlackMessage(t *testing.T) {
	t.Parallel()
	data, err := json.Marshal(slackMessage(OfDrift(report(), map[string]bool{"b": true}, "https://ci.example.com/1?a=b&c")))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"text":"govctl drift: acme"`, `*Drifted: 2 differences.*`, "*new* `/sandbox/enabled`\\n`true -\\u0026gt; false`\\n`since revision 44 by grace@example.com, 2026-11-05T09:00:00Z`",
		"`org_acme` · settings as of revision 45 · \\u003chttps://ci.example.com/1?a=b\\u0026amp;c|the run\\u003e",
	} {
		if !strings.Contains(string(data), want) {
			t.Errorf("no %s in\n%s", want, data)
		}
	}
}
