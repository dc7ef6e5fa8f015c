package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/apply"
	"github.com/govctl/govctl/internal/ledger"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/service"
)

// crashes are the ways a process can die around one ledger write.
var crashes = [...]string{"before", "torn", "after"}

// crashFromEnv kills this process around the write that CRASH names, as in "torn 5".
func crashFromEnv() recorderWrapper {
	how, at, _ := strings.Cut(os.Getenv("CRASH"), " ")
	n, _ := strconv.Atoi(at)
	return func(r apply.Recorder) apply.Recorder {
		return &crasher{inner: r, how: how, left: n, file: os.Getenv("CRASH_LEDGER")}
	}
}

// crasher is a Recorder that dies as by kill -9. Records come to it one at a time, so
// that what the last write added is known.
type crasher struct {
	mu    sync.Mutex
	inner apply.Recorder
	how   string
	left  int
	file  string
}

func (c *crasher) Append(ctx context.Context, r ledger.Record) (ledger.Record, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left--
	if c.left == 0 && c.how == "before" {
		die()
	}
	before, _ := os.Stat(c.file)
	out, err := c.inner.Append(ctx, r)
	if c.left == 0 {
		if c.how == "torn" {
			c.tear(before)
		}
		die()
	}
	return out, err
}

// tear leaves half of what the last write added.
func (c *crasher) tear(before os.FileInfo) {
	after, err := os.Stat(c.file)
	if err != nil {
		panic(err)
	}
	var from int64
	if before != nil {
		from = before.Size()
	}
	if err := os.Truncate(c.file, from+(after.Size()-from)/2); err != nil {
		panic(err)
	}
}

// die ends the process as kill -9 does: no deferred call, no flush.
func die() {
	p, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = p.Kill()
	}
	panic(fmt.Sprint("still alive after kill: ", err))
}

// TestApplyCrash kills apply around every one of its ledger writes. Whatever was done by
// then, the next plan asks again exactly for what the ledger cannot confirm, nothing
// confirmed is wrong, and after one more apply the plan is empty.
func TestApplyCrash(t *testing.T) {
	t.Parallel()
	template := t.TempDir()
	if err := os.CopyFS(template, os.DirFS("../../examples/quickstart")); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(template, ".govctl")); err != nil {
		t.Fatal(err)
	}
	all := planned(t, template)
	writes := ledgerWrites(t, template)
	if writes < 12 {
		t.Fatalf("only %d ledger writes: the story is too short to mean anything", writes)
	}
	for at := 1; at <= writes; at++ {
		for _, how := range crashes {
			t.Run(fmt.Sprintf("%s_%d", how, at), func(t *testing.T) {
				t.Parallel()
				crashOnce(t, template, how, at, all)
			})
		}
	}
}

// crashOnce is one death and the recovery from it.
func crashOnce(t *testing.T, template, how string, at int, all map[string]bool) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(template)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, ".govctl", "ledger.jsonl")
	cmd := command("govctl-crash", "apply", dir, "--auto-approve")
	cmd.Env = append(cmd.Env, fmt.Sprintf("CRASH=%s %d", how, at), "CRASH_LEDGER="+path)
	if out, err := cmd.CombinedOutput(); err == nil || cmd.ProcessState.Exited() {
		t.Fatalf("apply was not killed: %v\n%s", err, out)
	}
	want := map[string]bool{}
	confirmed := confirmedBy(t, path)
	for key := range all {
		if !confirmed[key] {
			want[key] = true
		}
	}
	got := planned(t, dir)
	for key := range got {
		// A computer or session that was changed without its outcome being recorded is
		// seen to be right by reading it, so the plan may leave it out.
		if !all[key] {
			t.Errorf("plan after the crash has %s, which was never planned", key)
		}
	}
	for key := range want {
		if strings.HasPrefix(key, "limit ") && !got[key] {
			t.Errorf("plan after the crash lost %s", key)
		}
	}
	for key := range got {
		if !want[key] {
			t.Errorf("plan after the crash asks again for %s, which is confirmed", key)
		}
	}
	checkConfirmed(t, dir, path)
	mustRun(t, "apply", dir, "--auto-approve")
	if diff := cmp.Diff(map[string]bool{}, planned(t, dir)); diff != "" {
		t.Errorf("plan after recovery is not empty (-want +got):\n%s", diff)
	}
	checkConfirmed(t, dir, path)
}

// planned is the set of "kind key" that a plan would send.
func planned(t *testing.T, dir string) map[string]bool {
	t.Helper()
	var p struct {
		Changes []struct{ Kind, Action, Key string }
	}
	if err := json.Unmarshal(mustRun(t, "plan", dir, "-o", "json"), &p); err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	for _, c := range p.Changes {
		if c.Action != "manual" {
			out[c.Kind+" "+c.Key] = true
		}
	}
	return out
}

// ledgerWrites counts the writes of an undisturbed apply.
func ledgerWrites(t *testing.T, template string) int {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(template)); err != nil {
		t.Fatal(err)
	}
	mustRun(t, "apply", dir, "--auto-approve")
	log, err := ledger.Read(filepath.Join(dir, ".govctl", "ledger.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return len(log.Records())
}

// confirmedBy is the set of "kind key" whose outcome the ledger has.
func confirmedBy(t *testing.T, path string) map[string]bool {
	t.Helper()
	log, err := ledger.Read(path)
	if err != nil {
		t.Fatalf("read the ledger after the crash: %v", err)
	}
	out := map[string]bool{}
	for _, r := range log.Records() {
		for _, e := range r.Set {
			out["limit "+string(e)] = true
		}
		if r.Kind == ledger.Outcome && r.Computer != nil && r.Computer.Result == ledger.Done {
			out["computer "+r.Computer.Name] = true
		}
		if r.Kind == ledger.Outcome && r.Session != nil && r.Session.Result == ledger.Done {
			out["session "+r.Session.ID] = true
		}
	}
	return out
}

// checkConfirmed compares what the ledger calls confirmed with the service's own rows.
func checkConfirmed(t *testing.T, dir, path string) {
	t.Helper()
	s, err := service.Open(t.Context(), service.Options{Database: filepath.Join(dir, ".govctl", "service.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	rows := serviceLimits(t, s)
	log, err := ledger.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	for email, k := range log.Known(org.Target{BaseURL: embedded, Organization: "org_acme"}).Limits.All() {
		if k.Grade == org.Confirmed && rows[email] != k.Credits {
			t.Errorf("the ledger calls %s = %d confirmed, the service has %d", email, k.Credits, rows[email])
		}
	}
}

// mustRun runs the real binary and returns its stdout.
func mustRun(t *testing.T, args ...string) []byte {
	t.Helper()
	cmd := command("govctl", args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("govctl %s: %v\n%s\n%s", strings.Join(args, " "), err, out, errs.String())
	}
	return out
}

// command is a run of this binary under another name; TestMain puts the names on PATH.
func command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "GOVCTL_NOW=2026-11-20T09:00:00Z", "NO_COLOR=1")
	return cmd
}
