package main

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/govctl/govctl/internal/apply"
	"github.com/govctl/govctl/internal/service"
)

// TestApplyBisect: a batch that is refused as malformed is sent in halves, or stops.
func TestApplyBisect(t *testing.T) {
	t.Parallel()
	s := serveFaulty(t, "PUT /api/v0/organization/usage/limits/users status=400 nth=1", "PUT /api/v0/organization/usage/limits/users status=400 nth=2")
	s.govctl(exitError, "status 400", "apply", "--auto-approve")
	s.govctl(exitDone, "applied", "apply", "--auto-approve", "--bisect")
	s.govctl(exitDone, "", "plan", "--detailed-exitcode")
}

// TestApplyCanary: one refused entry of the canary stops the rest, which is then sent by
// the same plan.
func TestApplyCanary(t *testing.T) {
	t.Parallel()
	s := serveFaulty(t, `PUT /api/v0/** refuse=ada@acme.example:"no seat left" nth=1`)
	s.govctl(exitDone, "", "plan", "--out", filepath.Join(s.dir, "plan.json"))
	project := s.dir
	s.dir = filepath.Join(project, "plan.json")
	keys := []string{"--api-key-file", filepath.Join(project, "key")}
	s.govctl(exitPartly, "the canary is not entirely confirmed", "apply", append(keys, "--canary", "1")...)
	s.govctl(exitRefused, "stale", "apply", keys...)
	s.govctl(exitDone, "applied", "apply", append(keys, "--resume", "--canary", "1")...)
	s.dir = project
	s.govctl(exitDone, "", "plan", "--detailed-exitcode")
}

// TestApplyMaxErrors: half of the limits are refused.
func TestApplyMaxErrors(t *testing.T) {
	t.Parallel()
	s := serveFaulty(t, `PUT /api/v0/** refuse=ada@acme.example:"no seat left"`)
	s.govctl(exitPartly, "more than 49% of the limits asked for are not confirmed", "apply", "--auto-approve", "--max-errors", "49%")
	s.govctl(exitPartly, "no seat left", "apply", "--auto-approve", "--max-errors", "1")
}

// TestApplyPermissions: a key that may not change computers still sets limits; a key that
// is not accepted any more stops everything.
func TestApplyPermissions(t *testing.T) {
	t.Parallel()
	for status, set := range map[int]int{403: 2, 401: 0} {
		b := newBench(t)
		b.write("c.yaml", "computer:\n  build-01: {provider: byom, remote_user: somebody}\n")
		f := func(r *http.Request) service.Fault {
			if r.Method == http.MethodPatch {
				return service.Fault{Status: status}
			}
			return service.Fault{}
		}
		b.fault.Store(&f)
		code, out, errs := b.run(t.Context(), "apply", "DIR", "--auto-approve", "-o", "json")
		r := decodeReport(t, out, errs)
		want := map[int]int{403: exitPartly, 401: exitError}[status]
		if code != want || len(r.Limits.Set) != set || len(r.Computers) != 1 || r.Computers[0].Result != apply.Failed {
			t.Errorf("%d: exit %d, want %d; %d limits set, want %d; computers %+v\n%s", status, code, want, len(r.Limits.Set), set, r.Computers, errs)
		}
	}
}

// TestApplyKeyRevoked takes the key away between two batches: what was set stays set, and
// nothing is sent after the refusal but what was under way.
func TestApplyKeyRevoked(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.write("a.hcl", "credit_limits {\n  default = 5\n}\n") // 250 members: three requests
	var puts atomic.Int64
	f := func(r *http.Request) service.Fault {
		if r.Method == http.MethodPut && puts.Add(1) > 1 {
			return service.Fault{Status: 401}
		}
		return service.Fault{}
	}
	b.fault.Store(&f)
	code, out, errs := b.run(t.Context(), "apply", "DIR", "--auto-approve", "--parallel", "1", "-o", "json")
	r := decodeReport(t, out, errs)
	if code != exitPartly || len(r.Limits.Set) != 100 || len(r.Limits.Refused) != 100 || len(r.Limits.NotAttempted) != 50 || !strings.Contains(r.Reason, "401") {
		t.Errorf("exit %d, set %d, refused %d, not attempted %d, reason %q", code, len(r.Limits.Set), len(r.Limits.Refused), len(r.Limits.NotAttempted), r.Reason)
	}
}

func decodeReport(t *testing.T, out, errs string) *apply.Report {
	t.Helper()
	r := new(apply.Report)
	if err := json.Unmarshal([]byte(out), r); err != nil {
		t.Fatalf("%v\n%s%s", err, out, errs)
	}
	return r
}

func TestRatio(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{"0": 0, "0.05": 0.05, "5%": 0.05, "100%": 1, "1": 1, ".5": 0.5, "1e-2": 0.01} {
		var r ratio
		if err := r.Set(text); err != nil || *r.share != want {
			t.Errorf("%s: %v, %v", text, r.share, err)
		}
	}
	for _, text := range []string{"", "%", "5", "101%", "-1%", "-0.1", "nan", "inf", "5 %", "x"} {
		var r ratio
		if err := r.Set(text); err == nil || r.String() != "" {
			t.Errorf("%q is taken as %s", text, r.String())
		}
	}
}
