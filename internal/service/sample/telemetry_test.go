package sample_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/govctl/govctl/internal/service/sample"
	"github.com/govctl/govctl/internal/service/store"
)

// spansHash changes when any span of the sample changes; examples may depend on them.
const spansHash = "e737c8f856426ed36ac97037ae0a073d6d10c3fd18572c1083b6dfce8d0ad34e"

func TestSpansAreTheAgreedOnes(t *testing.T) {
	t.Parallel()
	h := sha256.New()
	users, kinds := map[string]map[string]bool{}, map[uint8]int{}
	for _, sp := range sample.Spans() {
		fmt.Fprintf(h, "%+v\n", sp)
		day := store.Day(sp.Start / 86_400_000_000_000).String()
		if users[day] == nil {
			users[day] = map[string]bool{}
		}
		users[day][sp.UserID] = true
		kinds[sp.Kind]++
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != spansHash {
		t.Errorf("the telemetry changed: hash %s, want %s", got, spansHash)
	}
	if len(users) != 31 || len(kinds) != 10 {
		t.Errorf("%d days, kinds %v", len(users), kinds)
	}
	if n := len(users["2026-11-18"]); n < 40 || n > 90 {
		t.Errorf("%d users on a working day", n)
	}
	if users["2026-10-19"] != nil || users["2026-11-20"] != nil {
		t.Error("telemetry of other days")
	}
}

func BenchmarkLoad(b *testing.B) {
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		s, err := store.Open(b.Context(), filepath.Join(b.TempDir(), fmt.Sprint(i)))
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		if err := sample.Load(b.Context(), s); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
	b.ReportMetric(float64(len(sample.Spans())), "spans")
}
