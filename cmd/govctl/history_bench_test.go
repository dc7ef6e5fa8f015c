package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/client"
	"github.com/govctl/govctl/internal/drift"
	"github.com/govctl/govctl/internal/live"
	"github.com/govctl/govctl/internal/org"
)

var benchRevisions = flag.Int("revisions", 10_000, "revisions of the history that BenchmarkHistory walks")

// longHistory serves n revisions of 8 KB. Each changes a number; the sandbox was switched
// in revision 2 and never since.
func longHistory(n int) http.Handler {
	models := strings.Repeat(`{"id":"m%d","model":"model","baseUrl":"https://models.example.com/v1","displayName":"A model","apiKey":"secret","extraHeaders":{"X-Team":"ml"},"extraArgs":{"temperature":0.2},"maxOutputTokens":8192},`, 24)
	ids := make([]any, 24)
	for i := range ids {
		ids[i] = i
	}
	rest := fmt.Sprintf(`"customModels":[%s],"commandDenylist":[%s],"modelPolicy":{"allowedModelIds":["a","b"],"allowCustomModels":true}`,
		strings.TrimSuffix(fmt.Sprintf(models, ids...), ","), strings.TrimSuffix(strings.Repeat(`"git push --force origin main",`, 90), ","))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
		from := n
		if c := r.URL.Query().Get("cursor"); c != "" {
			from, _ = strconv.Atoi(c)
		}
		var b bytes.Buffer
		b.WriteString(`{"changes":[`)
		to := max(0, from-limit)
		for i := from; i > to; i-- {
			if i < from {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `{"revision":%d,"settings":{"sessionRetentionDays":%d,"sandbox":{"enabled":%v},%s},"user":{"id":"u","email":"ada@acme.example","name":"Ada"},"updatedAt":"2026-11-01T00:00:00Z"}`, i, i, i > 1, rest)
		}
		fmt.Fprintf(&b, `],"pagination":{"hasMore":%v,"nextCursor":"%d"}}`, to > 0, to)
		_, _ = w.Write(b.Bytes())
	})
}

// BenchmarkHistory times blame and drift over a long history against only reading and
// decoding its pages in the same run, by the client and by the standard library. Heap is
// what is alive at the end of a walk: what is kept must not depend on -revisions.
//
//	go test ./cmd/govctl -run xxx -bench History -benchtime 1x -revisions 100000
func BenchmarkHistory(b *testing.B) {
	s := httptest.NewServer(longHistory(*benchRevisions))
	defer s.Close()
	c, err := client.New(client.Options{BaseURL: s.URL, AppURL: s.URL, Key: "k", ReadOnly: true, MaxWait: time.Minute, Timeout: time.Minute})
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	for b.Loop() {
		decoded := timed(b, func() any { return standardWalk(b, s.URL) })
		pages := timed(b, func() any {
			for _, err := range c.History(ctx, api.MaxPage) {
				if err != nil {
					b.Fatal(err)
				}
			}
			return nil
		})
		blame := timed(b, func() any {
			o, err := live.OriginOf(ctx, c, "/sandbox/enabled", org.Redactor{})
			if err != nil || o.Revision != 2 {
				b.Fatal(o, err)
			}
			return o
		})
		var walking runtime.MemStats // with all that the walk itself remembers
		fold := timed(b, func() any {
			h := drift.NewHistory(int64(*benchRevisions), 1)
			for s, err := range live.Snapshots(ctx, c, api.MaxPage, org.Redactor{}) {
				if err != nil {
					b.Fatal(err)
				}
				if !h.Add(s.Revision, s.Secrets) {
					runtime.GC()
					runtime.ReadMemStats(&walking)
					break
				}
			}
			if !h.Whole() {
				b.Fatal("the fold has not seen everything")
			}
			return h
		})
		b.ReportMetric(decoded.took.Seconds(), "decoded-s")
		b.ReportMetric(pages.took.Seconds(), "pages-s")
		b.ReportMetric(blame.took.Seconds()/decoded.took.Seconds(), "blame/decoded")
		b.ReportMetric(blame.took.Seconds()/pages.took.Seconds(), "blame/pages")
		b.ReportMetric(fold.took.Seconds()/decoded.took.Seconds(), "drift/decoded")
		b.ReportMetric(fold.took.Seconds()/pages.took.Seconds(), "drift/pages")
		b.ReportMetric(blame.heap, "blame-heap-MB")
		b.ReportMetric(fold.heap, "drift-heap-MB")
		b.ReportMetric(float64(walking.HeapAlloc)/1e6, "walking-heap-MB")
	}
}

type timing struct {
	took time.Duration
	heap float64 // MB alive beyond what was before
}

// timed runs work and keeps what it returns alive until the heap is measured.
func timed(b *testing.B, work func() any) timing {
	b.Helper()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	began := time.Now()
	kept := work()
	took := time.Since(began)
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(kept)
	return timing{took, (float64(after.HeapAlloc) - float64(before.HeapAlloc)) / 1e6}
}

// standardWalk reads and decodes every page with the standard library.
func standardWalk(b *testing.B, url string) any {
	b.Helper()
	cursor := ""
	for {
		resp, err := http.Get(url + api.PathHistory + "?limit=100&cursor=" + cursor)
		if err != nil {
			b.Fatal(err)
		}
		data, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil {
			b.Fatal(err)
		}
		var p api.HistoryPage
		if err := json.Unmarshal(data, &p); err != nil {
			b.Fatal(err)
		}
		for _, change := range p.Changes {
			if _, err := org.DecodeJSON(change.Settings); err != nil {
				b.Fatal(err)
			}
		}
		if !p.Pagination.HasMore {
			return nil
		}
		cursor = *p.Pagination.NextCursor
	}
}
