package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Whatever is wrong, a delivery ends by itself with exit code 0, nothing on stdout and one
// line on stderr, and what could be read of an event waits for the next one (T46, T47).
func TestHooksNeverHoldUp(t *testing.T) {
	t.Parallel()
	hang := make(chan struct{})
	deaf := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-hang:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(func() { close(hang); deaf.Close() })
	angry := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "\x1b[31m::error::"+strings.Repeat("no\n", 5000), http.StatusForbidden)
	}))
	t.Cleanup(angry.Close)
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, []byte(canaryKey+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const event = `{"hook_event_name":"Stop","session_id":"s"}`
	for name, test := range map[string]struct {
		in    io.Reader
		args  string
		spool string // below the directory of the test
		ended bool   // by SIGTERM
		says  string
		waits int
	}{
		"nobody listens":      {in: strings.NewReader(event), args: "--url http://127.0.0.1:1", says: "refused", waits: 1},
		"nobody answers":      {in: strings.NewReader(event), args: "--url " + deaf.URL, says: "deliver: ", waits: 1},
		"no right":            {in: strings.NewReader(event), args: "--url " + angry.URL, says: "403", waits: 1},
		"no user":             {in: strings.NewReader(event), args: "--user-id= --url " + deaf.URL, says: "GOVCTL_USER_ID", waits: 1},
		"no service":          {in: strings.NewReader(event), args: "--url embedded:", says: "no service", waits: 1},
		"http to elsewhere":   {in: strings.NewReader(event), args: "--url http://192.0.2.1", says: "https", waits: 1},
		"an unknown event":    {in: strings.NewReader(`{"hook_event_name":"Later","session_id":"s"}`), args: "--url http://127.0.0.1:1", says: "refused", waits: 1},
		"no JSON":             {in: strings.NewReader("\x1b]0;x\x07{"), says: "not JSON"},
		"a list":              {in: strings.NewReader("[]"), says: "not a JSON object"},
		"two objects":         {in: strings.NewReader(event + event), says: "not JSON"},
		"no name":             {in: strings.NewReader("{}"), says: "no hook_event_name"},
		"no session":          {in: strings.NewReader(`{"hook_event_name":"Stop"}`), says: "no session_id"},
		"nothing":             {in: strings.NewReader(""), says: "not JSON"},
		"too much":            {in: strings.NewReader(`{"hook_event_name":"` + strings.Repeat("x", 2<<20)), says: "larger than"},
		"input never ends":    {in: endless{}, says: "larger than"},
		"input never comes":   {in: silent{hang}, says: "not done in time"},
		"a spool in a file":   {in: strings.NewReader(event), spool: "file/spool", says: "spool"},
		"SIGTERM":             {in: silent{hang}, ended: true, says: "not done in time"},
		"a wrong global flag": {in: strings.NewReader("[]"), args: "--log-level loud", says: "log-level"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			spool := filepath.Join(dir, firstOf(test.spool, "spool"))
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			if test.ended {
				cancel(&signalError{syscall.SIGTERM})
			}
			var out, said bytes.Buffer
			args := append([]string{"hooks", "deliver", "--spool", spool, "--user-id", "ada", "--api-key-file", key}, strings.Fields(test.args)...)
			if code := run(ctx, args, stdio{in: test.in, out: &out, err: &said, now: fixedNow}); code != exitDone {
				t.Errorf("exit %d", code)
			}
			if out.Len() > 0 {
				t.Errorf("stdout has %q", out.String())
			}
			lines := strings.Split(strings.TrimSuffix(said.String(), "\n"), "\n")
			if name == "a wrong global flag" {
				lines = lines[:1] // the second one is about the event
			}
			if len(lines) != 1 || !strings.Contains(lines[0], test.says) || len(lines[0]) > 1000 {
				t.Errorf("stderr has %q, want one line with %q", said.String(), test.says)
			}
			if strings.ContainsAny(said.String(), "\x1b\x07") || strings.Contains(said.String(), canaryKey) {
				t.Errorf("stderr has what must not reach a terminal: %q", said.String())
			}
			kept, _ := filepath.Glob(filepath.Join(spool, "*.json"))
			if len(kept) != test.waits {
				t.Errorf("%d events wait, want %d", len(kept), test.waits)
			}
		})
	}
}

// endless is input without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// silent is input that does not come before the channel is closed.
type silent struct{ until chan struct{} }

func (s silent) Read([]byte) (int, error) {
	<-s.until
	return 0, io.EOF
}
