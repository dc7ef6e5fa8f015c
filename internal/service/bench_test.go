package service_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/govctl/govctl/internal/pgtest"
	"github.com/govctl/govctl/internal/service"
	"github.com/govctl/govctl/internal/service/servicetest"
	"github.com/govctl/govctl/internal/service/store"
)

// million opens a service with that many members, in batches that keep memory small.
func million(b *testing.B) *service.Service {
	b.Helper()
	const members, batch = 1_000_000, 50_000
	s, err := service.Open(b.Context(), service.Options{Database: pgtest.Database(b), OwnerKey: "sesame", Now: servicetest.StartTime})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	if err := s.Store().CreateOrganization(b.Context(), store.Organization{ID: "org", CreatedAt: servicetest.StartTime()}); err != nil {
		b.Fatal(err)
	}
	users := make([]store.User, batch)
	for from := 0; from < members; from += batch {
		for i := range users {
			n := from + i
			users[i] = store.User{
				ID: fmt.Sprintf("usr_%07d", n), Email: address(n), FirstName: "First", LastName: "Last",
				Metadata: `{"team":"platform","cost_center":"cc-100"}`, CreatedAt: servicetest.StartTime(), LastSignInAt: servicetest.StartTime(),
			}
		}
		if err := s.Store().AddUsers(b.Context(), users); err != nil {
			b.Fatal(err)
		}
	}
	return s
}

// address scatters: neighbors in the list are no neighbors in the index.
func address(n int) string { return fmt.Sprintf("%07x.person@acme.example", n*7919%1_000_000) }

// BenchmarkPutLimits is one PUT of 100 limits with 1,000,000 members.
func BenchmarkPutLimits(b *testing.B) {
	s := million(b)
	bodies := make([]string, 64)
	for i := range bodies {
		entries := make([]string, 100)
		for j := range entries {
			entries[j] = fmt.Sprintf(`{"email":%q,"limit":%d}`, address(rand.IntN(1_000_000)), j)
		}
		bodies[i] = `{"users":[` + strings.Join(entries, ",") + `]}`
	}
	var next atomic.Int64
	put := func() {
		if w := request(b, s, "sesame", "PUT", limitsPath, bodies[int(next.Add(1))%len(bodies)]); w.Code != 200 {
			b.Errorf("%d %s", w.Code, w.Body)
		}
	}
	b.Run("alone", func(b *testing.B) {
		for b.Loop() {
			put()
		}
	})
	b.Run("8clients", func(b *testing.B) {
		var mu sync.Mutex
		var took []time.Duration
		b.SetParallelism(max(1, 8/runtime.GOMAXPROCS(0)))
		b.RunParallel(func(p *testing.PB) {
			for p.Next() {
				start := time.Now()
				put()
				mu.Lock()
				took = append(took, time.Since(start))
				mu.Unlock()
			}
		})
		slices.Sort(took)
		b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
		b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	})
	b.Run("userpage", func(b *testing.B) {
		for b.Loop() {
			if w := request(b, s, "sesame", "GET", "/api/v0/organization/users?limit=100", ""); w.Code != 200 {
				b.Fatal(w.Code)
			}
		}
	})
}
