package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/govctl/govctl/internal/notify"
	"github.com/govctl/govctl/internal/render"
)

// mailbox is a receiver of notices.
type mailbox struct {
	url    string
	mu     sync.Mutex
	status int
	bodies []string
}

func openMailbox(t *testing.T) *mailbox {
	t.Helper()
	m := &mailbox{status: http.StatusOK}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		m.mu.Lock()
		defer m.mu.Unlock()
		m.bodies = append(m.bodies, r.URL.Path+" "+string(body))
		w.WriteHeader(m.status)
	}))
	t.Cleanup(server.Close)
	m.url = server.URL
	return m
}

// taken empties the box.
func (m *mailbox) taken() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := m.bodies
	m.bodies = nil
	return out
}

// binary runs the real binary on the bench, with an environment of its own.
func (b *bench) binary(errs io.Writer, env []string, args ...string) int {
	b.t.Helper()
	c := exec.CommandContext(b.t.Context(), "govctl", append(args, "--base-url", b.url, "--api-key-file", filepath.Join(b.dir, "key"), "--max-wait", "0")...)
	c.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + b.dir}, env...)
	c.Dir, c.Stderr = b.dir, errs
	if err := c.Run(); err != nil && c.ProcessState == nil {
		b.t.Fatal(err)
	}
	return c.ProcessState.ExitCode()
}

// TestDriftTellsOthers: what is worth a notice, where it goes, that a secret address is
// said nowhere, and that nobody's silence changes how a run ends.
func TestDriftTellsOthers(t *testing.T) {
	t.Parallel()
	b, box := newBench(t), openMailbox(t)
	b.write("a.hcl", drifted)
	b.write("slack", box.url+"/services/s3cret\n")
	env := []string{"GOVCTL_NOTIFY_URL=" + box.url + "/hook?t0ken", "GOVCTL_NOTIFY_SECRET=s3cret", "GOVCTL_SLACK_WEBHOOK_URL_FILE=" + filepath.Join(b.dir, "slack")}
	drift := func(want, posts int, args ...string) string {
		t.Helper()
		var errs strings.Builder
		if code := b.binary(&errs, env, append([]string{"drift", b.dir, "--name", "acme"}, args...)...); code != want {
			t.Errorf("%s: exit %d, want %d: %s", args, code, want, errs.String())
		}
		got := box.taken()
		if len(got) != posts {
			t.Errorf("%s: %d notices, want %d", args, len(got), posts)
		}
		if said := errs.String(); strings.Contains(said, "s3cret") || strings.Contains(said, "t0ken") {
			t.Errorf("%s: a secret is said: %s", args, said)
		}
		return errs.String() + strings.Join(got, "\n")
	}
	last := []string{"--previous", "last.json", "-o", "json=last.json"}
	first := drift(exitChanges, 2, last...)
	if !strings.Contains(first, `/hook {"format_version":"1.0","event":"drift"`) || !strings.Contains(first, `/services/s3cret {"text":"govctl drift: acme`) {
		t.Errorf("told %s", first)
	}
	drift(exitChanges, 0, last...)
	drift(exitChanges, 2, append(last, "--notify-on", "drift")...)
	b.write("a.hcl", inSync)
	drift(exitDone, 0, append(last, "--notify-on", "drift")...)
	drift(exitDone, 2, append(last, "--notify-on", "always")...)
	b.write("a.hcl", "nonsense {")
	if said := drift(exitError, 2, "--notify-on", "always"); !strings.Contains(said, `"verdict":"unknown"`) {
		t.Errorf("a run that failed told %s", said)
	}
	b.write("a.hcl", drifted)
	box.status = http.StatusInternalServerError
	drift(exitChanges, 2, last...)
	drift(exitChanges, 2, last...) // nobody heard it, so it is told again
	box.status = http.StatusOK
	drift(exitChanges, 2, last...)
	drift(exitChanges, 0, last...)
	box.status = http.StatusInternalServerError
	if said := drift(exitChanges, 2); !strings.Contains(said, "was not told") || !strings.Contains(said, "status 500") {
		t.Errorf("nobody hears that nobody heard: %s", said)
	}
	box.status = http.StatusOK
	if said := drift(exitError, 0, "--notify", "https://user:pass@example.com/"); !strings.Contains(said, "is a secret") {
		t.Errorf("said %s", said)
	}
}

// TestLastWords: one line that Kubernetes does not cut, whatever there is to say.
func TestLastWords(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 50} {
		for _, long := range []int{1, 200, 5000} {
			notice := notify.Notice{Project: strings.Repeat("é", long), Text: strings.Repeat("x", long), Link: "https://" + strings.Repeat("y", long), At: time.Unix(0, 0)}
			for range n {
				notice.Items = append(notice.Items, render.DriftItem{Key: strings.Repeat("<", min(long, 200))})
			}
			line := lastWords(notice, exitChanges)
			var back struct {
				ExitCode int `json:"exit_code"`
				More     int
				Items    []render.DriftItem
			}
			if err := json.Unmarshal(line, &back); err != nil || back.ExitCode != exitChanges || len(back.Items)+back.More != n {
				t.Errorf("%d items of %d: %v, %+v", n, long, err, back)
			}
			if len(line) > maxTermination || strings.Count(string(line), "\n") != 1 || line[len(line)-1] != '\n' {
				t.Errorf("%d items of %d: %d bytes", n, long, len(line))
			}
		}
	}
}
