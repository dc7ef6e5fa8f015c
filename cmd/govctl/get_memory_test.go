package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// usageServer answers analytics /users with users times days rows in pages of 100 users'
// rows, made as they are asked for. From time to time it measures what is alive.
type usageServer struct {
	users int
	peak  atomic.Uint64 // bytes alive, at most
	pages atomic.Int64
}

const usagePage = 100

func (s *usageServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if n := s.pages.Add(1); n%250 == 0 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		if m.HeapAlloc > s.peak.Load() {
			s.peak.Store(m.HeapAlloc)
		}
	}
	q := r.URL.Query()
	at, _ := strconv.Atoi(q.Get("cursor")) // "" is 0
	first, _ := time.Parse("2006-01-02", q.Get("startDate"))
	last, _ := time.Parse("2006-01-02", q.Get("endDate"))
	days := int(last.Sub(first).Hours()/24) + 1
	total := s.users * days
	var b bytes.Buffer
	b.WriteString(`{"data":[`)
	end := min(at+usagePage, total)
	for i := at; i < end; i++ {
		if i > at {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"user_id":"usr_%07d","user_email":"somebody.with.a.name%07d@acme.example","date":%q,"tool_calls":41,"billable_tokens":93304.5,"primary_model":"model-a","primary_model_tier":"standard","files_created":1,"files_edited":2,"git_commits":3,"git_prs_created":4,"mcp_calls":5,"skill_calls":6,"slash_commands":7,"hooks":8,"sessions":9,"messages":10,"user_messages":5,"assistant_messages":5,"autonomy_ratio":1.5,"delegation_level":"auto-high","languages":["Go","Rust"]}`,
			i/days, i/days, first.AddDate(0, 0, i%days).Format("2006-01-02"))
	}
	fmt.Fprintf(&b, `],"meta":{"org_id":"o","start_date":%q,"end_date":%q,"has_more":%t,"next_cursor":"%d"}}`, q.Get("startDate"), q.Get("endDate"), end < total, end)
	_, _ = w.Write(b.Bytes())
}

// exportUsage writes users times 40 days of rows to CSV through the real command.
func exportUsage(tb testing.TB, users int) (peak uint64, rows int) {
	tb.Helper()
	s := &usageServer{users: users}
	server := httptest.NewServer(s)
	defer server.Close()
	dir := tb.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "key"), []byte(canaryKey), 0o600); err != nil {
		tb.Fatal(err)
	}
	file := filepath.Join(dir, "usage.csv")
	var errs bytes.Buffer
	out := &countLines{}
	args := "get usage users --from 2026-10-11 --to 2026-11-19 --base-url " + server.URL + " --api-key-file " + filepath.Join(dir, "key") + " -o csv -o ndjson=" + file
	if code := run(tb.Context(), strings.Fields(args), stdio{in: strings.NewReader(""), out: out, err: &errs, now: fixedNow}); code != exitDone {
		tb.Fatalf("exit %d: %s", code, errs.String())
	}
	return s.peak.Load(), out.n - 1
}

// countLines counts what is written and keeps none of it.
type countLines struct{ n int }

func (c *countLines) Write(p []byte) (int, error) {
	c.n += bytes.Count(p, []byte("\n"))
	return len(p), nil
}

// TestUsageStreams: four times the rows need no more memory. It does not run beside other
// tests, whose memory would be counted.
func TestUsageStreams(t *testing.T) {
	small, rows := exportUsage(t, 1_250)
	if rows != 50_000 {
		t.Fatalf("%d rows", rows)
	}
	large, rows := exportUsage(t, 5_000)
	if rows != 200_000 {
		t.Fatalf("%d rows", rows)
	}
	t.Logf("alive: %.1f MB with 50,000 rows, %.1f MB with 200,000", float64(small)/1e6, float64(large)/1e6)
	if large > small+4<<20 {
		t.Errorf("200,000 rows keep %d bytes alive, 50,000 rows %d", large, small)
	}
}

// BenchmarkUsageCSV writes a million rows of usage to CSV and NDJSON at once.
func BenchmarkUsageCSV(b *testing.B) {
	b.ReportAllocs()
	all := 0
	for b.Loop() {
		peak, rows := exportUsage(b, 25_000)
		if rows != 1_000_000 {
			b.Fatalf("%d rows", rows)
		}
		all += rows
		b.ReportMetric(float64(peak)/1e6, "MB-alive")
	}
	b.ReportMetric(float64(all)/b.Elapsed().Seconds(), "rows/s")
}
