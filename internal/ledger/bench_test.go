package ledger

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/govctl/govctl/internal/org"
)

// history writes n confirmed limits in batches of 100, as apply does, without fsync.
func history(tb testing.TB, n int) []byte {
	tb.Helper()
	var out bytes.Buffer
	add := func(v any) {
		line, err := encode(v)
		if err != nil {
			tb.Fatal(err)
		}
		out.Write(line)
	}
	add(header{Kind: "header", Version: FormatVersion, Lineage: "5f0c6d3e-0000-4000-8000-000000000001"})
	at := time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC)
	id := func(i int) string { return fmt.Sprintf("01932f00-0000-7000-8000-%012d", i) }
	for i := 0; i < n; i += 100 {
		want := Record{ID: id(2 * i), At: at.Add(time.Duration(2 * i)), Kind: Intention, Target: Target{BaseURL: "https://api.example.com", Organization: "org_acme"}, Plan: "sha256:0"}
		got := Record{ID: id(2*i + 1), At: at.Add(time.Duration(2*i + 1)), Kind: Outcome, Of: want.ID, RequestID: "req_1"}
		for j := i; j < min(i+100, n); j++ {
			email := org.Email(fmt.Sprintf("person%07d@example.com", j))
			want.Limits = append(want.Limits, Limit{Email: email, Credits: int64(1000000 + j), UserID: fmt.Sprintf("user_%08d", j)})
			got.Set = append(got.Set, email)
		}
		add(want)
		add(got)
	}
	return out.Bytes()
}

func BenchmarkRead(b *testing.B) {
	for _, n := range []int{1_000, 100_000, 1_000_000} {
		data := history(b, n)
		path := filepath.Join(b.TempDir(), "ledger.jsonl")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("entries=%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				l, err := Read(path)
				if err != nil {
					b.Fatal(err)
				}
				if k := l.Known(org.Target{Organization: "org_acme"}); k.Limits.Len() != n {
					b.Fatal(k.Limits.Len())
				}
			}
		})
	}
}

// BenchmarkMap is what a map of as many addresses takes by itself, to compare Read with.
func BenchmarkMap(b *testing.B) {
	keys := make([]org.Email, 1_000_000)
	for i := range keys {
		keys[i] = org.Email(fmt.Sprintf("person%07d@example.com", i))
	}
	for b.Loop() {
		m := make(map[org.Email]org.KnownLimit, len(keys))
		for _, k := range keys {
			m[k] = org.KnownLimit{Grade: org.Confirmed, Credits: 1}
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	l, err := parse(string(history(b, 10_000)))
	if err != nil {
		b.Fatal(err)
	}
	line, err := encode(l.records[0])
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		if _, err := decodeRecord(string(line[:len(line)-1])); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFold(b *testing.B) {
	l, err := parse(string(history(b, 1_000_000)))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		l.Known(org.Target{Organization: "org_acme"})
	}
}

func BenchmarkAppend(b *testing.B) {
	l, err := parse(string(history(b, 100)))
	if err != nil {
		b.Fatal(err)
	}
	f, err := Open(filepath.Join(b.TempDir(), "ledger.jsonl"), Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	b.SetParallelism(4)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := f.Append(context.Background(), l.records[0]); err != nil {
				b.Fatal(err)
			}
		}
	})
}
