package ledger

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/org"
)

var update = flag.Bool("update", false, "rewrite golden files")

// every has every field of the format.
func every() []Record {
	target := Target{BaseURL: "https://api.example.com", Organization: "org_acme"}
	at := func(n int) time.Time { return start.Add(time.Duration(n) * time.Millisecond) }
	return []Record{
		{ID: "01", At: at(1), Kind: Intention, Target: target, Plan: "sha256:ab", Limits: []Limit{
			{Email: "ada@example.com", SendAs: "Ada@Example.com", Credits: 2500000, UserID: "user_1"}, {Email: "bob@example.com", Credits: 0},
			{Email: "cy@example.com", Credits: org.MaxCredits}, {Email: "jürgen@example.com", Credits: 1},
		}},
		{ID: "02", At: at(2), Kind: Outcome, Of: "01", Set: []org.Email{"ada@example.com"}, Refused: []Refused{{"bob@example.com", "user \"bob\" <not found>"}},
			Unknown: []org.Email{"cy@example.com"}, NotSent: []org.Email{"jürgen@example.com"}, RequestID: "req_1"},
		{ID: "03", At: at(3), Kind: Intention, Target: Target{BaseURL: "embedded:"}, Plan: "sha256:ab", Computer: &Object{Action: "create", Name: "build-01", Fields: []string{"host_id", "remote_user"}}},
		{ID: "04", At: at(4), Kind: Outcome, Of: "03", RequestID: "req_2", Computer: &Object{Action: "create", Name: "build-01", ID: "cmp_1", Result: Done}},
		{ID: "05", At: at(5), Kind: Intention, Target: target, Plan: "sha256:ab", Session: &Object{Action: "update", ID: "ses_1", Fields: []string{"model"}}},
		{ID: "06", At: at(6), Kind: Outcome, Of: "05", Session: &Object{Action: "update", ID: "ses_1", Result: Failed, Error: "status 409"}},
		{ID: "07", At: at(7), Kind: Intention, Target: target, Plan: "sha256:ab", Limits: []Limit{{Email: "ada@example.com", Credits: 1}, {Email: "bob@example.com", SendAs: "Bob@example.com", Credits: 2}}},
		{ID: "08", At: at(8), Kind: Outcome, Of: "07", NotSent: []org.Email{"ada@example.com", "bob@example.com"}},
	}
}

// A ledger of format version 1 must stay readable for ever.
func TestGoldenVersion1(t *testing.T) {
	t.Parallel()
	path := filepath.Join("testdata", "v1.jsonl")
	var b bytes.Buffer
	for _, v := range append([]any{header{"header", 1, "5f0c6d3e-0000-4000-8000-000000000001"}}, anys(every())...) {
		line, err := encode(v)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(line)
	}
	if *update {
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("what is written changed without a new version (-golden +now):\n%s", diff)
	}
	l, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(every(), l.Records()); diff != "" {
		t.Errorf("decode(encode(r)) differs (-r +got):\n%s", diff)
	}
	if p := l.Verify(); p != nil {
		t.Errorf("problems: %v", p)
	}
}

func anys(records []Record) []any {
	out := make([]any, len(records))
	for i, r := range records {
		out[i] = r
	}
	return out
}

// Limits are bulk: both of their records must be read by the scanner.
func TestScannerReadsWhatAppendWrites(t *testing.T) {
	t.Parallel()
	for i, r := range every() {
		line, err := encode(r)
		if err != nil {
			t.Fatal(err)
		}
		line = bytes.TrimSpace(line)
		got, ok := scanRecord(string(line))
		if want := i >= 6; ok != want {
			t.Errorf("%s: scanned %v, want %v", line, ok, want)
		}
		if diff := cmp.Diff(r, got); ok && diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// The scanner accepts nothing that encoding/json reads in another way.
func FuzzScan(f *testing.F) {
	for _, r := range every() {
		line, err := encode(r)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(bytes.TrimSpace(line)))
	}
	f.Add(`{"id":"","at":"2026-11-03T09:00:00+01:00","kind":"x"}`)
	f.Fuzz(func(t *testing.T, line string) {
		got, ok := scanRecord(line)
		if !ok {
			return
		}
		var want Record
		if err := json.Unmarshal([]byte(line), &want); err != nil {
			t.Fatalf("%q: scanned, but %v", line, err)
		}
		got.At, want.At = got.At.UTC(), want.At.UTC()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q (-json +scan):\n%s", line, diff)
		}
	})
}

func FuzzRead(f *testing.F) {
	golden, err := os.ReadFile(filepath.Join("testdata", "v1.jsonl"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(golden)
	f.Add(append(bytes.Clone(golden), golden...))
	f.Add(golden[:len(golden)-7])
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := parse(string(data))
		if err != nil {
			return
		}
		if l.size > int64(len(data)) || l.size < 0 {
			t.Fatalf("%q: size %d", data, l.size)
		}
		l.Verify()
		known := l.Known(org.Target{BaseURL: "embedded:"})
		again, err := parse(string(data[:l.size]))
		if err != nil || again.Torn() {
			t.Fatalf("%q: the whole lines alone: %v", data, err)
		}
		if diff := cmp.Diff(known, again.Known(org.Target{BaseURL: "embedded:"})); diff != "" {
			t.Fatal(diff)
		}
	})
}
