//go:build unix

package hooks

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/org"
)

func hook(event, matcher, command string) Hook {
	return Hook{Hook: org.Hook{Event: event, Matcher: matcher, Command: command}}
}

func options(list ...Hook) RunOptions {
	now := time.Unix(0, 0)
	return RunOptions{Hooks: list, Event: "Stop", Input: []byte(`{"hook_event_name":"Stop"}`), Now: func() time.Time { return now }}
}

// Every command reads the same object, in the directory of the event, and is judged by its
// exit code alone.
func TestRun(t *testing.T) {
	t.Parallel()
	o := options(
		hook("Stop", "", "cat; echo no >&2; exit 3"),
		hook("Notification", "", "exit 9"),
		hook("Stop", "", "pwd; exit 0"),
		hook("Stop", "", "/nonexistent/program"),
		hook("Stop", "", "head -c 100000 /dev/zero | tr '\\0' x"),
	)
	o.Dir = "/"
	got, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(got.Commands[2].Stderr, "nonexistent") {
		t.Errorf("stderr of a program that is not there: %q", got.Commands[2].Stderr)
	}
	got.Commands[2].Stderr = ""
	want := &Report{Event: "Stop", Commands: []Result{
		{Hook: o.Hooks[0], Result: Failed, ExitCode: 3, Stdout: `{"hook_event_name":"Stop"}`, Stderr: "no\n"},
		{Hook: o.Hooks[2], Result: OK, Stdout: "/\n"},
		{Hook: o.Hooks[3], Result: Failed, ExitCode: 127},
		{Hook: o.Hooks[4], Result: OK, Stdout: strings.Repeat("x", maxCaptured), Cut: true},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	if n := got.Failed(); n != 2 {
		t.Errorf("%d failed, want 2", n)
	}
}

// A hook that takes too long is stopped with all it started, and one that leaves a
// process behind has ended.
func TestRunStops(t *testing.T) {
	t.Parallel()
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	said := make(chan string, 1)
	go func() { // ends when no process has the fifo open any more
		defer cancel()
		f, err := os.Open(fifo)
		if err != nil {
			said <- err.Error()
			return
		}
		defer f.Close()
		begun := make([]byte, 2)
		_, err = io.ReadFull(f, begun)
		cancel()
		rest, restErr := io.ReadAll(f)
		said <- fmt.Sprint(string(begun), string(rest), err, restErr)
	}()
	o := options(hook("Stop", "", "(exec 9>"+fifo+"; echo x >&9; sleep 600) & sleep 600"), hook("Stop", "", "sleep 600 &"))
	got, err := Run(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	if r := got.Commands[0]; r.Result != Interrupted || r.ExitCode != -1 {
		t.Errorf("result %s, exit code %d", r.Result, r.ExitCode)
	}
	if s := <-said; s != "x\n<nil> <nil>" { // it waits for ever if what the hook started goes on
		t.Errorf("the hook said %q", s)
	}
	o = options(hook("Stop", "", "sleep 600"))
	o.Hooks[0].Timeout, o.Unit = "50", time.Millisecond
	if got, err = Run(t.Context(), o); err != nil || got.Commands[0].Result != TimedOut {
		t.Errorf("with a timeout of the file: %+v, %v", got.Commands, err)
	}
}

// Timeouts count in a known unit only and never prolong the limit.
func TestLimit(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		timeout string
		unit    time.Duration
		want    time.Duration
	}{
		"unit unknown": {"5", 0, time.Minute},
		"seconds":      {"5", time.Second, 5 * time.Second},
		"milliseconds": {"2.5", time.Millisecond, 2500 * time.Microsecond},
		"longer":       {"500", time.Second, time.Minute},
		"absurd":       {"1e300", time.Second, time.Minute},
		"negative":     {"-1", time.Second, time.Minute},
		"none":         {"", time.Second, time.Minute},
	} {
		h := Hook{}
		h.Timeout = jsonNumber(test.timeout)
		if got := (RunOptions{Limit: time.Minute, Unit: test.unit}).limit(h); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

func TestMatches(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		matcher, tool string
		want          bool
	}{
		{"", "Edit", true}, {"*", "Edit", true}, {"Edit", "Edit", true}, {"Edit", "EditAll", false},
		{"Edit|Create", "Create", true}, {"Ed.*", "Edit", true}, {"edit", "Edit", false}, {"Edit", "", true},
	} {
		got, err := matches(hook("PostToolUse", test.matcher, "x"), RunOptions{Event: "PostToolUse", Tool: test.tool})
		if err != nil || got != test.want {
			t.Errorf("matcher %q, tool %q: %v, %v", test.matcher, test.tool, got, err)
		}
	}
	if _, err := Run(t.Context(), RunOptions{Hooks: []Hook{hook("Stop", "(", "x")}, Event: "Stop", Tool: "Edit"}); err == nil {
		t.Error("a matcher that is no expression was accepted")
	}
}
