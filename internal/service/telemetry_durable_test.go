package service_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/govctl/govctl/internal/pgtest"
	"github.com/govctl/govctl/internal/service"
	"github.com/govctl/govctl/internal/service/servicetest"
)

const killEnv = "GOVCTL_TEST_KILL_DATABASE"

// TestKilledIngestLosesNothing kills a process that reports each acknowledged request of
// one span and counts what is there afterwards.
func TestKilledIngestLosesNothing(t *testing.T) {
	if path := os.Getenv(killEnv); path != "" {
		s := openBare(t, path)
		for n := 1; ; n++ {
			export(t, s, "sesame", newSpan(n, "agent.git.commit", yesterdayNoon(), map[string]any{"user.id": "u", "session.id": "s", "agent.client": "web"}))
			if _, err := fmt.Println(n); err != nil {
				return
			}
		}
	}
	t.Parallel()
	path := pgtest.Database(t)
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledIngestLosesNothing$")
	child.Env = append(os.Environ(), killEnv+"="+path)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	last := 0
	for lines := bufio.NewScanner(out); last < 200 && lines.Scan(); {
		if last, err = strconv.Atoi(lines.Text()); err != nil {
			t.Fatal(err)
		}
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // killed
	s := openBare(t, path)
	defer s.Close()
	// The killed process may have built the day while spans still came in.
	if err := s.BuildDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	counts, err := s.Store().SpanCounts(t.Context())
	w := request(t, s, "sesame", "GET", "/api/v1/analytics/productivity?startDate=2026-11-19&endDate=2026-11-19", "")
	if want := fmt.Sprintf(`"git_commits":%d,`, counts["accepted"]); err != nil || int(counts["accepted"]) < last || last < 200 || !strings.Contains(w.Body.String(), want) {
		t.Errorf("reported %d, counted %v, %v, %s", last, counts, err, w.Body)
	}
}

func yesterdayNoon() time.Time { return servicetest.StartTime().AddDate(0, 0, -1) }

// TestParallelTelemetry is meant for the race detector: ingest, builds and reads at once.
func TestParallelTelemetry(t *testing.T) {
	t.Parallel()
	s := bare(t)
	var done sync.WaitGroup
	for worker := range 4 {
		done.Go(func() {
			for n := range 20 {
				export(t, s, "sesame", newSpan(1000*worker+n, "agent.tool.call", yesterdayNoon(), map[string]any{
					"user.id": fmt.Sprint("u", n%3), "session.id": "s", "agent.client": "web", "gen_ai.tool.name": "x"}))
				if n%5 == 0 {
					if err := s.BuildDays(t.Context()); err != nil {
						t.Error(err)
					}
				}
				_ = answers(t, s, "2026-11-18", "2026-11-19")
			}
		})
	}
	done.Wait()
	if err := s.BuildDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := answers(t, s, "2026-11-19", "2026-11-19")["tools?"]; !strings.Contains(got, `"tool_calls":80,`) {
		t.Error(got)
	}
}

// TestBatchTimes holds 5.6 and U21: a day that was never built is built by the read that
// asks for it, late data by the first read of a later ten minutes, and today is not served.
func TestBatchTimes(t *testing.T) {
	t.Parallel()
	var passed atomic.Int64
	now := func() time.Time { return servicetest.StartTime().Add(time.Duration(passed.Load())) }
	s := bare(t, func(o *service.Options) { o.Now = now })
	n := 0
	commit := func(at time.Time) {
		n++
		export(t, s, "sesame", newSpan(n, "agent.git.commit", at, map[string]any{"user.id": "u", "session.id": "s", "agent.client": "web"}))
	}
	commits := func(day string) string {
		w := request(t, s, "sesame", "GET", "/api/v1/analytics/productivity?startDate="+day+"&endDate="+day, "")
		_, rest, _ := strings.Cut(w.Body.String(), `"git_commits":`)
		text, _, _ := strings.Cut(rest, ",")
		return fmt.Sprint(w.Code, " ", text)
	}
	for _, step := range []struct {
		advance, ago time.Duration
		day, want    string
	}{
		{0, 24 * time.Hour, "2026-11-19", "200 1"},
		{0, 24 * time.Hour, "2026-11-19", "200 1"}, // late: not before the next batch
		{9 * time.Minute, 24 * time.Hour, "2026-11-19", "200 1"},
		{time.Minute, 0, "2026-11-19", "200 3"},
		{0, 0, "2026-11-20", "400 "},
		{12 * time.Hour, 24 * time.Hour, "2026-11-20", "200 3"}, // the first read after midnight
	} {
		passed.Add(int64(step.advance))
		commit(now().Add(-step.ago))
		if got := commits(step.day); got != step.want {
			t.Errorf("%+v: %s", step, got)
		}
	}
}

// TestCloseWhileBuilding: Close ends the goroutine of the service.
func TestCloseWhileBuilding(t *testing.T) {
	t.Parallel()
	s := openBare(t, pgtest.Database(t))
	export(t, s, "sesame", newSpan(1, "agent.git.commit", yesterdayNoon(), map[string]any{"user.id": "u", "session.id": "s", "agent.client": "web"}))
	failed := make(chan error, 1)
	go func() { failed <- s.BuildDays(t.Context()) }()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	<-failed // nil or that it is closing, but not never
	if err := s.BuildDays(t.Context()); err == nil {
		t.Error("built after Close")
	}
}
