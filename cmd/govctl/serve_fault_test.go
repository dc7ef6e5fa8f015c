package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/govctl/govctl/internal/service"
)

// served is govctl serve with fault rules, and a project that talks to it.
type served struct {
	t   *testing.T
	url string
	dir string
}

// serveFaulty runs serve until the test ends and writes a project that sets two limits.
func serveFaulty(t *testing.T, rules ...string) *served {
	t.Helper()
	var flags []string
	for _, rule := range rules {
		flags = append(flags, "--fault", rule)
	}
	s := serveWith(t, time.Now, flags...)
	s.write("limits.hcl", "credit_limits {\n  unlisted = \"ignore\"\n  users = { \"ada@acme.example\" = 5, \"grace@acme.example\" = 6 }\n}\n")
	return s
}

// serveWith runs serve with more flags and with a clock until the test ends. The project
// beside it has a key and nothing else.
func serveWith(t *testing.T, now func() time.Time, flags ...string) *served {
	t.Helper()
	s := &served{t: t, dir: t.TempDir()}
	args := append([]string{"serve", "--listen", "127.0.0.1:0", "--sample", "--database", filepath.Join(s.dir, "service.db")}, flags...)
	ctx, stop := context.WithCancel(t.Context())
	out, in := io.Pipe()
	ended := make(chan int, 1)
	var said bytes.Buffer
	go func() {
		code := run(ctx, args, stdio{in: strings.NewReader(""), out: in, err: &said, now: now})
		_ = in.CloseWithError(errors.New("serve has ended"))
		ended <- code
	}()
	t.Cleanup(func() {
		stop()
		if code := <-ended; code != exitDone {
			t.Errorf("serve: exit %d: %s", code, said.String())
		}
	})
	lines := bufio.NewScanner(out)
	key := ""
	for (s.url == "" || key == "") && lines.Scan() {
		if url, ok := strings.CutPrefix(lines.Text(), "listening on "); ok {
			s.url = url
		}
		if k, ok := strings.CutPrefix(lines.Text(), "owner key (shown once): "); ok {
			key = k
		}
	}
	if key == "" {
		t.Fatalf("no address or key: %v", lines.Err())
	}
	go func() { _, _ = io.Copy(io.Discard, out) }() // ends with serve
	s.write("key", key)
	return s
}

func (s *served) write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text+"\n"), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// govctl runs a command on the project, without retries, and wants an exit code and a
// text somewhere in what it says.
func (s *served) govctl(code int, says, command string, flags ...string) {
	s.t.Helper()
	var out bytes.Buffer
	args := append([]string{command, s.dir, "--base-url", s.url, "--api-key-file", filepath.Join(s.dir, "key"), "--max-wait", "0"}, flags...)
	got := run(s.t.Context(), args, stdio{in: strings.NewReader(""), out: &out, err: &out, now: time.Now})
	if got != code || !strings.Contains(strings.ToLower(out.String()), strings.ToLower(says)) {
		s.t.Fatalf("%s %v: exit %d, want %d and %q:\n%s", command, flags, got, code, says, out.String())
	}
}

// TestServeFault is the story that docs tell: a list that breaks off makes the plan
// incomplete and apply refuses; an answer that is lost leaves the outcome unknown; after
// that, with the network well again, one apply converges.
func TestServeFault(t *testing.T) {
	t.Parallel()
	s := serveFaulty(t,
		"GET /api/v0/organization/users pages=missing-cursor nth=1",
		"GET /api/v0/organization/users truncate=0.5 nth=2",
		"PUT /api/v0/organization/usage/limits/users reset=after nth=1")
	s.govctl(exitIncomplete, "incomplete", "plan", "--strict")
	s.govctl(exitIncomplete, "", "apply", "--auto-approve")
	s.govctl(exitPartly, "unknown", "apply", "--auto-approve")
	s.govctl(exitChanges, "", "plan", "--detailed-exitcode")
	s.govctl(exitDone, "applied", "apply", "--auto-approve")
	s.govctl(exitDone, "", "plan", "--detailed-exitcode")
}

// TestServeFaultRefused: one member is refused, the other is set; the plan keeps asking.
func TestServeFaultRefused(t *testing.T) {
	t.Parallel()
	s := serveFaulty(t, `PUT /api/v0/** refuse=ada@acme.example:"no seat left" nth=1`)
	s.govctl(exitPartly, "no seat left", "apply", "--auto-approve")
	s.govctl(exitChanges, "ada@acme.example", "plan", "--detailed-exitcode")
	s.govctl(exitDone, "applied", "apply", "--auto-approve")
	s.govctl(exitDone, "", "plan", "--detailed-exitcode")
}

// TestServeProvisionFault: a sandbox that does not come up is a finding of the plan, and
// what apply retries comes up.
func TestServeProvisionFault(t *testing.T) {
	t.Parallel()
	var passed atomic.Int64
	s := serveWith(t, func() time.Time { return time.Now().Add(time.Duration(passed.Load())) },
		"--provision-fault", `create ci-* fail=install-deps:"no space left" nth=1`, "--provision-fault", `retry ci-* fail=install-deps:"still none" nth=1`)
	s.write("computers.hcl", "computer \"ci-1\" {\n  provider = \"sandbox_vendor\"\n  retry_failed_install = true\n}\n")
	s.govctl(exitDone, "done  computer create ci-1", "apply", "--auto-approve")
	s.govctl(exitDone, "provisioning", "plan", "--detailed-exitcode")
	for _, says := range []string{"no space left", "still none"} {
		passed.Add(int64(time.Minute))
		s.govctl(exitChanges, says, "plan", "--detailed-exitcode")
		s.govctl(exitDone, "", "apply", "--auto-approve")
	}
	passed.Add(int64(time.Minute))
	s.govctl(exitDone, "", "plan", "--detailed-exitcode")
}

// TestServeFaultHelp: the rules in the help work.
func TestServeFaultHelp(t *testing.T) {
	t.Parallel()
	rules := func(help string) (all []string) {
		for line := range strings.Lines(help) {
			if rule, ok := strings.CutPrefix(line, "  "); ok {
				all = append(all, strings.TrimSpace(rule))
			}
		}
		return all
	}
	if _, err := service.ParseFaultRules(rules(faultHelp)); err != nil || len(rules(faultHelp)) != 7 {
		t.Errorf("%q: %v", rules(faultHelp), err)
	}
	if _, err := service.ParseProvisionRules(rules(provisionHelp)); err != nil || len(rules(provisionHelp)) != 3 {
		t.Errorf("%q: %v", rules(provisionHelp), err)
	}
}

// TestServeFaultMistakes: wrong rules are all named before anything is served.
func TestServeFaultMistakes(t *testing.T) {
	t.Parallel()
	var said bytes.Buffer
	args := []string{"serve", "--database", filepath.Join(t.TempDir(), "s.db"), "--fault", "PUT /api/v0/* status=503", "--fault", "GET /api/v0/sessions delay=5",
		"--provision-fault", "create * fail=boot:x"}
	code := run(t.Context(), args, stdio{in: strings.NewReader(""), out: &said, err: &said, now: time.Now})
	for _, want := range []string{"no endpoint is PUT /api/v0/*", "a duration such as", "the step must be create-sandbox"} {
		if code != exitError || !strings.Contains(said.String(), want) {
			t.Errorf("exit %d, want %q in:\n%s", code, want, said.String())
		}
	}
}
