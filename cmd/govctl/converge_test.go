package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/govctl/govctl/internal/ledger"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/service"
	"github.com/govctl/govctl/internal/service/sample"
	"github.com/govctl/govctl/internal/service/store"
)

// seeds is how many random stories TestConverge tells, unless CONVERGE_SEEDS says more.
const seeds = 50

// TestConverge tells random stories of edits (also while an apply runs), reverts, lost
// answers, refusals, errors, members who leave between plan and apply, a govctl that is
// killed at a write of its ledger, and a service that starts again. During each of them nothing the ledger
// calls confirmed may differ from the service; after it, with the network well again,
// one apply makes the plan empty and the service equal to the file.
func TestConverge(t *testing.T) {
	t.Parallel()
	n := seeds
	if text := os.Getenv("CONVERGE_SEEDS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	} else if testing.Short() {
		n = 10
	}
	template := filepath.Join(t.TempDir(), "service.db")
	fillSample(t, template)
	for seed := range n {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			newWorld(t, template, int64(seed)).story()
		})
	}
}

// world is one project, its ledger and a service that misbehaves.
type world struct {
	t       *testing.T
	rng     *rand.Rand
	dir     string
	url     string
	db      string
	service *service.Service // replaced when it starts again
	members []store.User

	mu       sync.Mutex
	faults   *rand.Rand // nil: the network is well
	left     []store.User
	declared map[string]int64
	earlier  []map[string]int64 // for reverts
}

func newWorld(t *testing.T, template string, seed int64) *world {
	w := &world{t: t, rng: rand.New(rand.NewSource(seed)), dir: t.TempDir()}
	data, err := os.ReadFile(template)
	if err != nil {
		t.Fatal(err)
	}
	w.db = filepath.Join(w.dir, "service.db")
	if err := os.WriteFile(w.db, data, 0o600); err != nil {
		t.Fatal(err)
	}
	w.open()
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		s := w.service
		w.mu.Unlock()
		s.ServeHTTP(rw, r)
	}))
	t.Cleanup(func() { server.Close(); _ = w.service.Close() })
	w.url = server.URL
	if w.members, err = w.service.Store().Users(t.Context(), "", 250); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.dir, "key"), []byte("key\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.declared = map[string]int64{}
	for _, m := range w.members[:120+w.rng.Intn(130)] {
		w.declared[m.Email] = 1000
	}
	return w
}

func (w *world) open() {
	s, err := service.Open(w.t.Context(), service.Options{Database: w.db, OwnerKey: "key", Fault: w.fault})
	if err != nil {
		w.t.Fatal(err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.service = s
}

// restart ends the service and starts it again on what it stored.
func (w *world) restart() {
	if err := w.service.Close(); err != nil {
		w.t.Fatal(err)
	}
	w.open()
}

// fault decides what happens to one request. Only writes misbehave: reads are the
// subject of the client's own tests.
func (w *world) fault(r *http.Request) service.Fault {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.faults == nil || r.Method != http.MethodPut {
		return service.Fault{}
	}
	if w.faults.Intn(4) == 0 {
		w.leave()
	}
	if w.faults.Intn(8) == 0 {
		w.edit(w.faults) // somebody saves the file meanwhile
	}
	switch w.faults.Intn(8) {
	case 0:
		return service.Fault{DropAfter: true}
	case 1:
		return service.Fault{DropBefore: true}
	case 2:
		return service.Fault{Status: 503}
	case 3:
		return service.Fault{Status: 400}
	default:
		return service.Fault{}
	}
}

// leave takes a declared member away, so that the service refuses the address.
func (w *world) leave() {
	m := w.members[w.faults.Intn(len(w.members))]
	if w.service.Store().RemoveUser(context.Background(), m.ID, time.Now()) == nil {
		w.left = append(w.left, m)
	}
}

// back lets everybody who left join again: the same address, another account, and no
// limit any more, which only the account's id tells.
func (w *world) back() {
	for _, m := range w.left {
		m.ID = ""
		if _, err := w.service.Store().AddUser(w.t.Context(), m); err != nil {
			w.t.Fatal(err)
		}
	}
	w.left = nil
	var err error
	if w.members, err = w.service.Store().Users(w.t.Context(), "", 1000); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) story() {
	for range 3 + w.rng.Intn(3) {
		w.edit(w.rng)
		w.mu.Lock()
		w.faults = rand.New(rand.NewSource(w.rng.Int63()))
		w.mu.Unlock()
		if w.rng.Intn(5) == 0 {
			w.killed(w.controls()...)
		} else {
			w.run("apply", w.controls()...)
		}
		w.mu.Lock()
		w.faults = nil
		w.mu.Unlock()
		if w.rng.Intn(4) == 0 {
			w.restart()
		}
		w.checkConfirmed()
		w.back()
	}
	if code, out := w.run("apply", "--auto-approve"); code != exitDone {
		w.t.Fatalf("apply on a well network: exit %d\n%s", code, out)
	}
	if code, out := w.run("plan", "--detailed-exitcode"); code != exitDone {
		w.t.Fatalf("plan after apply: exit %d, want nothing to do\n%s", code, out)
	}
	w.checkConfirmed()
	got := serviceLimits(w.t, w.service)
	for email, want := range w.declared {
		if got[org.Fold(email)] != want {
			w.t.Errorf("%s: declared %d, the service has %d", email, want, got[org.Fold(email)])
		}
	}
}

// controls are the flags of one apply.
func (w *world) controls() []string {
	flags := []string{"--auto-approve", "--parallel", fmt.Sprint(1 + w.rng.Intn(4))}
	if w.rng.Intn(3) == 0 {
		flags = append(flags, "--canary", fmt.Sprint(1+w.rng.Intn(100)))
	}
	if w.rng.Intn(3) == 0 {
		flags = append(flags, "--max-errors", "2%")
	}
	if w.rng.Intn(2) == 0 {
		flags = append(flags, "--bisect")
	}
	return flags
}

// edit changes the declarations, or takes an earlier version back.
func (w *world) edit(random *rand.Rand) {
	if len(w.earlier) > 0 && random.Intn(3) == 0 {
		w.declared = maps.Clone(w.earlier[random.Intn(len(w.earlier))])
	} else {
		w.declared = maps.Clone(w.declared)
		for _, email := range slices.Sorted(maps.Keys(w.declared)) {
			if random.Intn(5) == 0 {
				w.declared[email] = int64(1+random.Intn(3)) * 1000
			}
		}
	}
	w.earlier = append(w.earlier, w.declared)
	var b strings.Builder
	// The guardrails have tests of their own.
	b.WriteString("policy {\n  fail_on = \"critical\"\n}\n\ncredit_limits {\n  unlisted = \"ignore\"\n  users = {\n")
	for email, limit := range w.declared {
		fmt.Fprintf(&b, "    %q = %d\n", email, limit)
	}
	b.WriteString("  }\n}\n")
	next := filepath.Join(w.dir, ".limits")
	if err := errors.Join(os.WriteFile(next, []byte(b.String()), 0o600), os.Rename(next, filepath.Join(w.dir, "limits.hcl"))); err != nil {
		w.t.Error(err) // may be called beside the test
	}
}

// killed carries out an apply in a process that dies as by kill -9 at a write of its
// ledger, if it comes so far.
func (w *world) killed(flags ...string) {
	c := exec.CommandContext(w.t.Context(), "govctl-crash", w.args("apply", flags)...)
	c.Env = append(os.Environ(), fmt.Sprintf("CRASH=%s %d", []string{"before", "torn", "after"}[w.rng.Intn(3)], 1+w.rng.Intn(6)),
		"CRASH_LEDGER="+filepath.Join(w.dir, ".govctl", "ledger.jsonl"))
	out, err := c.CombinedOutput()
	if bytes.Contains(out, []byte("panic:")) {
		w.t.Errorf("%v: %s", err, out)
	}
}

func (w *world) args(command string, flags []string) []string {
	return append([]string{command, w.dir, "--base-url", w.url, "--api-key-file", filepath.Join(w.dir, "key"), "--max-wait", "0"}, flags...)
}

// run carries out one command in this process and returns its exit code.
func (w *world) run(command string, flags ...string) (int, string) {
	var out bytes.Buffer
	code := run(w.t.Context(), w.args(command, flags), stdio{in: strings.NewReader(""), out: &out, err: io.MultiWriter(&out), now: time.Now})
	return code, out.String()
}

// checkConfirmed holds the ledger to its word for every account that still exists.
func (w *world) checkConfirmed() {
	w.t.Helper()
	log, err := ledger.Read(filepath.Join(w.dir, ".govctl", "ledger.jsonl"))
	if err != nil {
		w.t.Fatal(err)
	}
	got := serviceLimits(w.t, w.service)
	active := map[string]bool{}
	users, err := w.service.Store().Users(w.t.Context(), "", 1000)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, u := range users {
		active[u.ID] = true
	}
	for email, k := range log.Known(org.Target{BaseURL: w.url}).Limits.All() {
		if active[k.UserID] && k.Grade == org.Confirmed && got[email] != k.Credits {
			w.t.Errorf("the ledger calls %s = %d confirmed, the service has %d", email, k.Credits, got[email])
		}
	}
}

// serviceLimits are the limits in the service's own table, by folded address.
func serviceLimits(t *testing.T, s *service.Service) map[org.Email]int64 {
	t.Helper()
	rows, err := s.Store().Limits(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out := map[org.Email]int64{}
	for _, r := range rows {
		out[org.Fold(r.Email)] = r.Value
	}
	return out
}

// fillSample makes a database with the sample organization.
func fillSample(t *testing.T, path string) {
	t.Helper()
	s, err := service.Open(t.Context(), service.Options{Database: path})
	if err != nil {
		t.Fatal(err)
	}
	if err := sample.Load(t.Context(), s.Store()); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
