package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/govctl/govctl/internal/apply"
	"github.com/govctl/govctl/internal/ledger"
	"github.com/govctl/govctl/internal/service"
)

// bench is one project against one service of this test.
type bench struct {
	t       *testing.T
	dir     string
	url     string
	service *service.Service
	fault   atomic.Pointer[func(*http.Request) service.Fault]
	written atomic.Int64 // requests that could change something
}

// newBench starts a service with the sample organization and a project that sets two
// limits.
func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, dir: t.TempDir()}
	db := filepath.Join(t.TempDir(), "service.db")
	fillSample(t, db)
	var err error
	b.service, err = service.Open(t.Context(), service.Options{Database: db, OwnerKey: "key", Fault: b.answer})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(b.service)
	b.url = server.URL
	t.Cleanup(func() { server.Close(); _ = b.service.Close() })
	b.write("key", "key\n")
	b.write("a.hcl", `credit_limits {
  unlisted = "ignore"
  users = { "ada@acme.example" = 5, "grace@acme.example" = 6 }
}
`)
	return b
}

func (b *bench) answer(r *http.Request) service.Fault {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		b.written.Add(1)
	}
	if f := b.fault.Load(); f != nil {
		return (*f)(r)
	}
	return service.Fault{}
}

// failing makes every request to a path that contains part answer status.
func (b *bench) failing(part string, status int) {
	f := func(r *http.Request) service.Fault {
		if strings.Contains(r.URL.Path, part) {
			return service.Fault{Status: status}
		}
		return service.Fault{}
	}
	b.fault.Store(&f)
}

func (b *bench) write(name, text string) {
	b.t.Helper()
	if err := os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// run carries out a command; DIR in args stands for the project.
func (b *bench) run(ctx context.Context, args ...string) (code int, stdout, stderr string) {
	b.t.Helper()
	for i, a := range args {
		args[i] = strings.ReplaceAll(a, "DIR", b.dir)
	}
	args = append(args, "--base-url", b.url, "--api-key-file", filepath.Join(b.dir, "key"), "--max-wait", "0")
	var out, err bytes.Buffer
	code = run(ctx, args, stdio{in: strings.NewReader(""), out: &out, err: &err, now: time.Now})
	return code, out.String(), err.String()
}

// TestExitCodes meets each way a command can end.
func TestExitCodes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		prep func(*bench)
		args string
		want int
		says string
	}{
		{"done", nil, "plan DIR", exitDone, "2 to set"},
		{"changes", nil, "plan DIR --detailed-exitcode", exitChanges, ""},
		{"error", func(b *bench) { b.write("a.hcl", "nonsense {\n}\n") }, "plan DIR", exitError, "nonsense"},
		{"unauthorized", func(b *bench) { b.write("key", "wrong\n") }, "plan DIR", exitError, "401"},
		{"everything refused", func(b *bench) { b.failing("limits", 403) }, "apply DIR --auto-approve", exitError, "403"},
		{"outcome unknown", func(b *bench) { b.failing("limits", 500) }, "apply DIR --auto-approve", exitPartly, "unknown"},
		{"digest not approved", nil, "apply DIR --approved-digest sha256:0", exitRefused, "approved was sha256:0"},
		{"other organization", func(b *bench) { b.write("s.hcl", "service {\n  organization = \"org_other\"\n}\n") }, "apply DIR --auto-approve", exitRefused, "org_other"},
		{"guardrail", (*bench).unlistedError, "apply DIR --auto-approve", exitRefused, "without a declared limit"},
		{"guardrail in a plan", (*bench).unlistedError, "plan DIR", exitRefused, "without a declared limit"},
		{"incomplete plan", func(b *bench) { b.failing("organization/users", 500) }, "plan DIR", exitDone, "INCOMPLETE"},
		{"incomplete plan, strict", func(b *bench) { b.failing("organization/users", 500) }, "plan DIR --strict", exitIncomplete, ""},
		{"declared but not there, strict", func(b *bench) {
			b.write("b.hcl", "credit_limits {\n  users = { \"nobody@acme.example\" = 5 }\n}\n")
		}, "plan DIR --strict", exitIncomplete, "not in the organization"},
		{"incomplete apply", func(b *bench) { b.failing("organization/users", 500) }, "apply DIR --auto-approve", exitIncomplete, "could not be read"},
		{"locked", (*bench).lock, "apply DIR --auto-approve", exitLocked, "lock"},
		{"strict and changes", func(b *bench) { b.failing("organization/users", 500) }, "plan DIR --strict --detailed-exitcode", exitIncomplete, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			if c.prep != nil {
				c.prep(b)
			}
			code, out, errs := b.run(t.Context(), strings.Fields(c.args)...)
			if code != c.want || !strings.Contains(out+errs, c.says) {
				t.Errorf("govctl %s: exit %d, want %d and %q in\n%s%s", c.args, code, c.want, c.says, out, errs)
			}
			if n := b.written.Load(); n > 0 && (c.want == exitRefused || c.want == exitIncomplete || c.want == exitLocked || strings.HasPrefix(c.args, "plan")) {
				t.Errorf("govctl %s: %d requests that write were sent", c.args, n)
			}
		})
	}
}

func (b *bench) unlistedError() {
	b.write("a.hcl", `credit_limits {
  unlisted = "error"
  users = { "ada@acme.example" = 5, "grace@acme.example" = 6 }
}
`)
}

// lock holds the ledger as another run would.
func (b *bench) lock() {
	f, err := ledger.Open(filepath.Join(b.dir, ".govctl", "ledger.jsonl"), ledger.Options{})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = f.Close() })
}

// TestExitPrecedence holds 1 > 5 > 7 > 4 > 3 > 6 > 2, and a signal above all.
func TestExitPrecedence(t *testing.T) {
	t.Parallel()
	all := seen{changes: true, denied: true, partly: true, incomplete: true}
	for _, c := range []struct {
		name  string
		seen  seen
		err   error
		cause error
		want  int
	}{
		{"nothing", seen{}, nil, nil, exitDone},
		{"error first", all, errors.New("x"), nil, exitError},
		{"refusal before what was seen", all, &refusal{err: errors.New("x")}, nil, exitRefused},
		{"lock", all, &ledger.LockedError{}, nil, exitLocked},
		{"partly before denied", all, nil, nil, exitPartly},
		{"denied before incomplete", seen{denied: true, incomplete: true, changes: true}, nil, nil, exitDenied},
		{"denial before incomplete", seen{incomplete: true}, &denial{err: errors.New("x")}, nil, exitDenied},
		{"refusal before denial", all, errors.Join(&denial{err: errors.New("x")}, &refusal{err: errors.New("y")}), nil, exitRefused},
		{"incomplete before changes", seen{incomplete: true, changes: true}, nil, nil, exitIncomplete},
		{"changes", seen{changes: true}, nil, nil, exitChanges},
		{"interrupt", all, context.Canceled, &signalError{syscall.SIGINT}, exitInterrupt},
		{"terminate", all, nil, &signalError{syscall.SIGTERM}, exitTerminate},
		{"signal after all was done", seen{}, nil, &signalError{syscall.SIGTERM}, exitDone},
	} {
		if got := exitCode(c.seen, c.err, c.cause); got != c.want {
			t.Errorf("%s: exit %d, want %d", c.name, got, c.want)
		}
	}
}

// TestApplyInterrupted ends an apply by a signal while a request is under way: the
// request is finished and recorded, nothing else is sent, and the report says so.
func TestApplyInterrupted(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.write("a.hcl", "credit_limits {\n  default = 5\n}\n") // 250 members: three requests
	ctx, cancel := context.WithCancelCause(t.Context())
	f := func(r *http.Request) service.Fault {
		if r.Method == http.MethodPut {
			cancel(&signalError{syscall.SIGTERM})
		}
		return service.Fault{}
	}
	b.fault.Store(&f)
	code, out, errs := b.run(ctx, "apply", "DIR", "--auto-approve", "-o", "json")
	var r apply.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatalf("%v\n%s%s", err, out, errs)
	}
	if code != exitTerminate || r.Result != apply.ResultInterrupted || len(r.Limits.Set) != 100 || len(r.Limits.NotAttempted) != 150 {
		t.Errorf("exit %d, result %s, %d set, %d not attempted; want 143, interrupted, 100, 150",
			code, r.Result, len(r.Limits.Set), len(r.Limits.NotAttempted))
	}
	if n := b.written.Load(); n != 1 {
		t.Errorf("%d requests were sent, want 1", n)
	}
}
