package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/apply"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/service"
	"github.com/govctl/govctl/internal/service/store"
)

// TestApplyWaits: two administrators change the settings while apply looks at the history.
// It ends well, says who did what, and has sent nothing but GET; before that the service
// is away for a while.
func TestApplyWaits(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.write("a.hcl", "settings {\n  expect = {\n    sandbox = { enabled = true }\n    sessionRetentionDays = 30\n  }\n}\n")
	at := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	var mu sync.Mutex
	looks := 0
	f := func(r *http.Request) service.Fault {
		if r.URL.Query().Get("limit") != "1" {
			return service.Fault{}
		}
		mu.Lock()
		defer mu.Unlock()
		looks++
		change := func(settings, user, email string) {
			if _, err := b.service.Store().AddRevision(r.Context(), json.RawMessage(settings), store.Actor{ID: user, Email: email}, at); err != nil {
				t.Error(err)
			}
		}
		switch looks { // the first is the plan's
		case 3:
			return service.Fault{Status: http.StatusServiceUnavailable}
		case 4:
			change(`{"sandbox":{"enabled":true},"sessionRetentionDays":90}`, "usr_002", "grace@acme.example")
		case 6:
			change(`{"sandbox":{"enabled":true},"sessionRetentionDays":30}`, "usr_001", "ada@acme.example")
		}
		return service.Fault{}
	}
	b.fault.Store(&f)
	code, out, errs := b.run(t.Context(), "apply", "DIR", "--auto-approve", "--wait", "--wait-timeout", "10m", "--wait-interval", "100ms", "-o", "json=DIR/report.json")
	data, err := os.ReadFile(filepath.Join(b.dir, "report.json"))
	if err != nil {
		t.Fatal(err, out, errs)
	}
	var report apply.Report
	if err := json.Unmarshal(data, &report); err != nil {
		t.Fatal(err)
	}
	done := func(path string, revision int64, user, email string) apply.ManualOutcome {
		return apply.ManualOutcome{
			Path: path, Result: apply.Closed, Revision: revision, Actor: org.Actor{ID: user, Email: email}, UpdatedAt: "2026-11-20T10:00:00.000Z",
		}
	}
	want := []apply.ManualOutcome{
		done("/sandbox/enabled", 43, "usr_002", "grace@acme.example"), done("/sessionRetentionDays", 44, "usr_001", "ada@acme.example"),
	}
	if diff := cmp.Diff(want, report.Manual); diff != "" || code != exitDone {
		t.Errorf("exit %d, manual items (-want +got):\n%s%s%s", code, diff, out, errs)
	}
	if n := b.written.Load(); n > 0 {
		t.Errorf("%d requests were sent that are not GET", n)
	}
}
