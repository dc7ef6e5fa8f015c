package service_test

import (
	"bufio"
	"bytes"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/govctl/govctl/internal/pgtest"
	"github.com/govctl/govctl/internal/service"
)

// aggregateEnv names the database of the child processes of TestKilledAggregation.
const aggregateEnv = "GOVCTL_TEST_AGGREGATE_DATABASE"

// What a child process says, one word in a line.
const (
	saysStored     = "stored"     // a request of one span was acknowledged
	saysAggregated = "aggregated" // a day was counted and is about to be stored
)

// TestKilledAggregation kills processes that aggregate days while spans come in, one after
// the other on the same database and each at a random moment. Afterwards nothing that was
// acknowledged is missing, and every answer is what a database says that took the same
// spans in peace.
func TestKilledAggregation(t *testing.T) {
	if path := os.Getenv(aggregateEnv); path != "" {
		aggregateForEver(t, path)
		return
	}
	t.Parallel()
	path := pgtest.Database(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	stored := 0
	for range 20 {
		word := []string{saysStored, saysAggregated, saysAggregated, saysAggregated}[random.IntN(4)]
		stored += killAt(t, path, word, 1+random.IntN(30))
	}
	s := openBare(t, path)
	defer s.Close()
	// A write waits for what a server may still finish for a process that is dead, so that
	// afterwards the number of spans stays the same.
	export(t, s, "sesame", nthSpan(int(accepted(t, s))))
	all := accepted(t, s)
	if stored == 0 || all <= int64(stored) {
		t.Fatalf("%d acknowledged, %d stored", stored, all)
	}
	if err := s.BuildDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	peace := bare(t)
	for n := range all {
		export(t, peace, "sesame", nthSpan(int(n)))
	}
	if diff := cmp.Diff(answers(t, peace, killFrom, killTo), answers(t, s, killFrom, killTo)); diff != "" {
		t.Errorf("%d spans: %s", all, diff)
	}
}

// accepted is how many different spans are stored.
func accepted(t *testing.T, s *service.Service) int64 {
	t.Helper()
	counts, err := s.Store().SpanCounts(t.Context())
	if err != nil || counts["conflict"] != 0 {
		t.Fatalf("%v, %v", counts, err)
	}
	return counts["accepted"]
}

// The days of nthSpan.
const killFrom, killTo, killDays = "2026-10-20", "2026-11-19", 31

// nthSpan is always the same for a number. The spans go from day to day, so that a day
// whose building came to nothing is not built for the sake of a later span.
func nthSpan(n int) *tracepb.Span {
	random := rand.New(rand.NewPCG(7, uint64(n)))
	first := time.Date(2026, 10, 20, 0, 0, 0, 0, time.UTC)
	start := first.AddDate(0, 0, n/20%killDays).Add(time.Duration(random.Int64N(int64(24 * time.Hour))))
	span, id := randomSpans(random, 1)[0], newSpan(n, "", start, nil)
	span.TraceId, span.SpanId, span.StartTimeUnixNano = id.GetTraceId(), id.GetSpanId(), id.GetStartTimeUnixNano()
	return span
}

// killAt kills a child when it has said a word so many times, and returns how many spans
// it had acknowledged by then.
func killAt(t *testing.T, path, word string, times int) (stored int) {
	t.Helper()
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledAggregation$")
	child.Env = append(os.Environ(), aggregateEnv+"="+path)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	var other []string
	for lines := bufio.NewScanner(out); lines.Scan(); { // also what it said before it died
		switch lines.Text() {
		case saysStored:
			stored++
		case saysAggregated:
		default:
			other = append(other, lines.Text())
		}
		if lines.Text() != word {
			continue
		}
		if times--; times == 0 {
			if err := child.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = child.Wait() // killed
	if times > 0 {
		t.Fatalf("the process ended by itself: %s", strings.Join(other, "\n"))
	}
	return stored
}

// aggregateForEver goes on where the database ends: it sends one span after the other and
// builds all days again and again.
func aggregateForEver(t *testing.T, path string) {
	s := openBare(t, path, func(o *service.Options) { o.Logger = slog.New(slog.NewTextHandler(aggregations{}, nil)) })
	go func() {
		for s.BuildDays(t.Context()) == nil { // until the process is killed
		}
	}()
	for n := accepted(t, s); ; n++ {
		export(t, s, "sesame", nthSpan(int(n)))
		if _, err := fmt.Println(saysStored); err != nil {
			return // nobody listens any more
		}
	}
}

// aggregations is a log that says saysAggregated for each day.
type aggregations struct{}

func (aggregations) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte("msg=aggregated")) {
		_, _ = fmt.Println(saysAggregated)
	}
	return len(line), nil
}
