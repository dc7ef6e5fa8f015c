package main

import (
	"bytes"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func fixedNow() time.Time { return time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC) }

// TestFaultsOfTheProcess meets with the real binary what only a process has: signals, and
// a standard error that packages write to on their own.
func TestFaultsOfTheProcess(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		args   string
		wire   []spoil
		signal os.Signal // sent when the spoiled request has arrived; nil: none
		exit   int
		asked  string
		ledger string
	}{
		{"interrupted while a read hangs", "plan DIR", []spoil{{on: "GET users", answer: answer{"", hangs}}}, os.Interrupt, exitInterrupt, "users 1", ""},
		{"terminated while a read hangs", "plan DIR", []spoil{{on: "GET users", answer: answer{"", hangs}}}, syscall.SIGTERM, exitTerminate, "users 1", ""},
		{"interrupted while a read waits to be repeated", "plan DIR --max-wait 10m", []spoil{{on: "GET users", answer: says(503, "", "Retry-After: 600")}}, os.Interrupt, exitInterrupt, "users 1", ""},
		// Were the wait not cut short, the request would be sent again.
		{"terminated while limits wait to be repeated", "apply DIR --auto-approve --max-wait 10m", []spoil{{on: "PUT limits", answer: says(503, "", "Retry-After: 600")}}, syscall.SIGTERM, exitTerminate, "PUT limits 1, users 1", "ask 2; unknown 2"},
		{"bytes out of turn", "plan DIR --max-wait 0", []spoil{{on: "GET users", answer: raw("HTTP/1.1 204 No Content\r\n\r\n{\"email\":\"##[error]\"}")}}, nil, exitDone, "users 1", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := startWire(t, c.wire)
			m := &met{dir: t.TempDir(), server: w}
			m.write(t, "key", canaryKey+"\n")
			m.write(t, "a.hcl", project)
			args := strings.Fields(strings.ReplaceAll(c.args, "DIR", m.dir))
			cmd := exec.CommandContext(t.Context(), "govctl", append(args, "--base-url", w.url, "--api-key-file", filepath.Join(m.dir, "key"))...)
			cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + m.dir}
			var out, errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errs
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if c.signal != nil {
				<-w.spoilt
				if err := cmd.Process.Signal(c.signal); err != nil {
					t.Error(err)
				}
			}
			err := cmd.Wait()
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			if code := cmd.ProcessState.ExitCode(); code != c.exit {
				t.Errorf("exit %d, want %d\n%s%s", code, c.exit, out.String(), errs.String())
			}
			if asked := askedOf(w.seen()); asked != c.asked {
				t.Errorf("asked %q, want %q", asked, c.asked)
			}
			if records := recordsOf(m.records(t)); records != c.ledger {
				t.Errorf("ledger %q, want %q", records, c.ledger)
			}
			checkHarmless(t, "stdout", out.String())
			checkHarmless(t, "stderr", errs.String())
			checkNowhere(t, m.dir, out.String()+errs.String(), canaryKey, "Unsolicited")
			for _, r := range w.seen() {
				if r.method != http.MethodGet && strings.HasPrefix(c.args, "plan") {
					t.Errorf("a plan sent %s", r.method)
				}
			}
		})
	}
}
