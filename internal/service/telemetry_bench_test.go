package service_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/govctl/govctl/internal/pgtest"
	"github.com/govctl/govctl/internal/service/store"
)

// usualSpans are spans of one request: one person, one session, all kinds.
func usualSpans(random *rand.Rand, request, n int) []*tracepb.Span {
	user := random.IntN(5000)
	pick := func(values ...string) string { return values[random.IntN(len(values))] }
	spans := make([]*tracepb.Span, n)
	for i := range spans {
		all := map[string]any{
			"user.id": fmt.Sprintf("usr_%05d", user), "session.id": fmt.Sprintf("0198c2a4-7b1e-7cc3-98c4-%012d", request), "agent.client": "terminal-ui",
			"service.version": "1.2.3",
		}
		name := pick("agent.tool.call", "agent.tool.call", "agent.message", "agent.model.request", "agent.file.change")
		fill(random, name, all, pick)
		spans[i] = newSpan(request*n+i, name, yesterdayNoon().Add(time.Duration(random.Int64N(int64(time.Hour)))), all)
	}
	return spans
}

// BenchmarkIngest posts requests of 512 spans, as exporters make them, in both encodings.
func BenchmarkIngest(b *testing.B) {
	for _, zip := range []bool{false, true} {
		b.Run(fmt.Sprintf("gzip=%v", zip), func(b *testing.B) {
			s := bare(b)
			random := rand.New(rand.NewPCG(1, 1))
			n := 0
			for b.Loop() {
				b.StopTimer()
				body := payload(b, usualSpans(random, n, 512)...)
				n++
				b.StartTimer()
				if w := postTraces(b, s, "sesame", "application/x-protobuf", body, zip); w.Code != 200 || w.Body.Len() != 0 {
					b.Fatal(w.Code, w.Body)
				}
			}
			b.ReportMetric(float64(512*b.N)/b.Elapsed().Seconds(), "spans/s")
		})
	}
}

// BenchmarkDecode is the part of an ingest that is protobuf.
func BenchmarkDecode(b *testing.B) {
	body := payload(b, usualSpans(rand.New(rand.NewPCG(1, 1)), 0, 512)...)
	for b.Loop() {
		if err := proto.Unmarshal(body, &tracepb.TracesData{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(512*b.N)/b.Elapsed().Seconds(), "spans/s")
}

// BenchmarkBuildDay aggregates a stored day of GOVCTL_SPANS spans, a million without it, of
// 5,000 users and a session for each 512 spans.
func BenchmarkBuildDay(b *testing.B) {
	total, err := strconv.Atoi(os.Getenv("GOVCTL_SPANS"))
	if err != nil {
		total = 1_000_000
	}
	if testing.Short() {
		total = 50_000
	}
	path := pgtest.Database(b)
	s := openBare(b, path)
	fillDay(b, s.Store(), total)
	size := int64(0)
	if info, err := os.Stat(path); err == nil {
		size = info.Size()
	}
	var peak uint64
	for b.Loop() {
		b.StopTimer()
		touch(b, s.Store())
		runtime.GC()
		stop := watchHeap(&peak)
		b.StartTimer()
		if err := s.BuildDays(b.Context()); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		stop()
		b.StartTimer()
	}
	b.ReportMetric(float64(total*b.N)/b.Elapsed().Seconds(), "spans/s")
	b.ReportMetric(float64(peak)/1e6, "peak-MB")
	b.ReportMetric(float64(size)/float64(total), "file-B/span")
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
}

func fillDay(b *testing.B, s *store.Store, total int) {
	random := rand.New(rand.NewPCG(1, 1))
	noon := yesterdayNoon().UnixNano()
	for request := 0; request*512 < total; request++ {
		user := random.IntN(5000)
		var batch store.Batch
		for i := range 512 {
			sp := store.Span{Kind: store.SpanToolCall, Start: noon + random.Int64N(int64(time.Hour)), UserID: fmt.Sprintf("usr_%05d", user),
				SessionID: fmt.Sprintf("0198c2a4-7b1e-7cc3-98c4-%012d", request), Client: "terminal-ui", Name: fmt.Sprintf("tool_%d", random.IntN(20)), Delegation: "auto-low"}
			switch random.IntN(4) {
			case 0:
				sp.Kind, sp.Name, sp.Delegation = store.SpanMessage, "user", ""
			case 1:
				sp.Kind, sp.Name, sp.Detail, sp.Input, sp.Output, sp.CacheRead = store.SpanModelRequest, "model-a", "standard", 20000, 500, 15000
			}
			var id store.SpanID
			copy(id[:], fmt.Sprintf("%016x%08x", request+1, i)) // in order: only reading is measured
			batch.IDs, batch.Spans = append(batch.IDs, id), append(batch.Spans, sp)
		}
		if _, err := s.AddSpans(b.Context(), batch); err != nil {
			b.Fatal(err)
		}
	}
}

// touch makes the day dirty.
func touch(b *testing.B, s *store.Store) {
	var id store.SpanID
	copy(id[:], fmt.Sprint(time.Now().UnixNano()))
	sp := store.Span{Kind: store.SpanCommit, Start: yesterdayNoon().UnixNano(), UserID: "u", SessionID: "s", Client: "c"}
	if _, err := s.AddSpans(b.Context(), store.Batch{IDs: []store.SpanID{id}, Spans: []store.Span{sp}}); err != nil {
		b.Fatal(err)
	}
}

// watchHeap keeps the largest heap until stop.
func watchHeap(peak *uint64) (stop func()) {
	var over atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		for !over.Load() {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			*peak = max(*peak, m.HeapInuse)
			time.Sleep(20 * time.Millisecond)
		}
	}()
	return func() { over.Store(true); <-done }
}
