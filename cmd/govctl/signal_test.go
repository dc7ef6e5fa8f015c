//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/govctl/govctl/internal/apply"
	"github.com/govctl/govctl/internal/ledger"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/service"
)

// process is a real govctl that applies 250 limits while its first request is held.
type process struct {
	*bench
	cmd  *exec.Cmd
	out  bytes.Buffer
	said *bufio.Scanner // stderr
	free func()         // lets the request go
}

// startHeld starts an apply and waits until its first request is there. The request is
// answered with f when it is let go.
func startHeld(t *testing.T, f service.Fault) *process {
	t.Helper()
	p := &process{bench: newBench(t)}
	p.write("a.hcl", "credit_limits {\n  default = 5\n}\n")
	arrived, freed := make(chan struct{}), make(chan struct{})
	var first sync.Once
	hold := func(r *http.Request) (answer service.Fault) {
		if r.Method == http.MethodPut {
			first.Do(func() {
				close(arrived)
				<-freed
				answer = f
			})
		}
		return answer
	}
	p.fault.Store(&hold)
	p.free = sync.OnceFunc(func() { close(freed) })
	t.Cleanup(p.free)
	p.cmd = command("govctl", "apply", p.dir, "--auto-approve", "-o", "json", "--base-url", p.url, "--api-key-file", filepath.Join(p.dir, "key"))
	p.cmd.Stdout = &p.out
	stderr, err := p.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.said = bufio.NewScanner(stderr)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	<-arrived
	return p
}

// interrupt sends a signal and waits for the answer on stderr.
func (p *process) interrupt(s os.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.t.Fatal(err)
	}
	for p.said.Scan() {
		if strings.Contains(p.said.Text(), "finishing what is under way") {
			return
		}
	}
	p.t.Fatalf("the signal is not answered: %v", p.said.Err())
}

// wait is the process's exit code, -1 if a signal ended it.
func (p *process) wait() int {
	p.t.Helper()
	for p.said.Scan() { // to its end
	}
	err := p.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	return p.cmd.ProcessState.ExitCode()
}

// TestSignalFinishes holds that the first signal lets the request under way finish, that
// it is recorded, and that the report and the exit code say what happened.
func TestSignalFinishes(t *testing.T) {
	t.Parallel()
	for s, want := range map[syscall.Signal]int{syscall.SIGINT: exitInterrupt, syscall.SIGTERM: exitTerminate} {
		p := startHeld(t, service.Fault{})
		p.interrupt(s)
		p.free()
		code := p.wait()
		var r apply.Report
		if err := json.Unmarshal(p.out.Bytes(), &r); err != nil {
			t.Fatalf("%v: %s", err, p.out.String())
		}
		if code != want || r.Result != apply.ResultInterrupted || len(r.Limits.Set) != 100 || len(r.Limits.NotAttempted) != 150 {
			t.Errorf("%v: exit %d, %s, %d set, %d not attempted", s, code, r.Result, len(r.Limits.Set), len(r.Limits.NotAttempted))
		}
		if n := p.grades()[org.Confirmed]; n != 100 || p.written.Load() != 1 {
			t.Errorf("%v: the ledger confirms %d limits after %d requests", s, n, p.written.Load())
		}
	}
}

// TestSignalTwice holds that a second signal ends the process while its request is still
// unanswered, and that the ledger calls the outcome unknown.
func TestSignalTwice(t *testing.T) {
	t.Parallel()
	p := startHeld(t, service.Fault{})
	p.interrupt(syscall.SIGINT)
	if err := p.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if code := p.wait(); code != -1 || p.out.Len() > 0 {
		t.Errorf("exit %d, %s", code, p.out.String())
	}
	p.free()
	if got := p.grades(); got[org.Unknown] != 100 || got[org.Confirmed] != 0 {
		t.Errorf("the ledger says %v", got)
	}
}

// TestSignalBetweenAttempts holds that nobody who interrupts has to wait for a service
// that asks to come back in ten minutes.
func TestSignalBetweenAttempts(t *testing.T) {
	t.Parallel()
	p := startHeld(t, service.Fault{Status: http.StatusTooManyRequests, RetryAfter: 10 * time.Minute})
	p.interrupt(syscall.SIGINT)
	p.free()
	code := p.wait()
	var r apply.Report
	if err := json.Unmarshal(p.out.Bytes(), &r); err != nil {
		t.Fatalf("%v: %s", err, p.out.String())
	}
	if code != exitInterrupt || len(r.Limits.Set)+len(r.Limits.Unknown) != 0 || p.written.Load() != 1 {
		t.Errorf("exit %d, %d set, %d unknown, %d requests", code, len(r.Limits.Set), len(r.Limits.Unknown), p.written.Load())
	}
}

// grades counts what the ledger knows.
func (p *process) grades() map[org.Grade]int {
	p.t.Helper()
	log, err := ledger.Read(filepath.Join(p.dir, ".govctl", "ledger.jsonl"))
	if err != nil {
		p.t.Fatal(err)
	}
	out := map[org.Grade]int{}
	for _, k := range log.Known(org.Target{BaseURL: p.url, Organization: "org_acme"}).Limits.All() {
		out[k.Grade]++
	}
	return out
}
