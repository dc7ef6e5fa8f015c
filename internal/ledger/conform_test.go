package ledger

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/pgtest"
)

func TestMain(m *testing.M) {
	if path := os.Getenv("LEDGER_TEST_HOLD"); path != "" {
		if _, err := Open(path, Options{Owner: "child"}); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("held")
		select {} // until killed
	}
	goleak.VerifyTestMain(withServer{m})
}

// withServer runs the tests and then ends the PostgreSQL server they started, if any.
type withServer struct{ m *testing.M }

func (w withServer) Run() int { return pgtest.Main(w.m) }

// onEach runs a test on a ledger of every kind: their meaning is the same.
func onEach(t *testing.T, test func(*testing.T, Location)) {
	t.Helper()
	t.Parallel()
	t.Run("file", func(t *testing.T) {
		t.Parallel()
		test(t, locate(t, filepath.Join(t.TempDir(), "new", "dir", "ledger.jsonl")))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, locate(t, pgtest.New(t)))
	})
}

func locate(t *testing.T, url string) Location {
	t.Helper()
	at, err := Locate(url, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func openAt(t *testing.T, at Location) *Journal {
	t.Helper()
	j, err := at.Open(t.Context(), Options{Now: clock(), Owner: "ada"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return j
}

func readAt(t *testing.T, at Location) *Log {
	t.Helper()
	l, err := at.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func closed(t *testing.T, j *Journal) {
	t.Helper()
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestAppendThenRead(t *testing.T) {
	onEach(t, func(t *testing.T, at Location) {
		j := openAt(t, at)
		ask := add(t, j, intend("ada@x.io", "bob@x.io"))
		out := add(t, j, Record{Kind: Outcome, Of: ask.ID, Set: []org.Email{"ada@x.io"}, Refused: []Refused{{"bob@x.io", "<no>\n\x00'\\ é"}}})
		read := readAt(t, at)
		if diff := cmp.Diff([]Record{ask, out}, read.Records()); diff != "" {
			t.Errorf("records read (-appended +read):\n%s", diff)
		}
		if diff := cmp.Diff(read.Records(), j.Log().Records()); diff != "" {
			t.Errorf("log of the journal (-read +kept):\n%s", diff)
		}
		if got, want := read.Position(), j.Log().Position(); got != want || got.Serial != 2 || got.Lineage == "" {
			t.Errorf("position: read %+v, kept %+v", got, want)
		}
		if problems := read.Verify(); problems != nil {
			t.Errorf("problems: %v", problems)
		}
		closed(t, j)
		again := openAt(t, at)
		if next := add(t, again, intend("eve@x.io")); !next.At.After(out.At) {
			t.Errorf("a clock behind the ledger: got %v after %v", next.At, out.At)
		}
		if p := again.Log().Position(); p.Serial != 3 || p.Lineage != read.Position().Lineage {
			t.Errorf("position after opening again: %+v", p)
		}
	})
}

// Every field of the format, and names that look like SQL or JSON, come back as they were.
func TestEveryField(t *testing.T) {
	onEach(t, func(t *testing.T, at Location) {
		j := openAt(t, at)
		var want []Record
		for _, r := range every() {
			want = append(want, add(t, j, r))
		}
		if diff := cmp.Diff(want, readAt(t, at).Records()); diff != "" {
			t.Errorf("(-appended +read):\n%s", diff)
		}
	})
}

func TestReadMissing(t *testing.T) {
	onEach(t, func(t *testing.T, at Location) {
		for range 2 {
			l := readAt(t, at)
			if l.Position() != (org.Position{}) || l.Torn() || len(l.Records()) != 0 {
				t.Errorf("got %+v", l)
			}
			if held, err := at.Lock(t.Context()); held != nil || err != nil {
				t.Errorf("lock of a missing ledger: %v, %v", held, err)
			}
		}
		closed(t, openAt(t, at)) // an empty one is like a missing one
		if p := readAt(t, at).Position(); p != (org.Position{}) {
			t.Errorf("position of an empty ledger %+v", p)
		}
	})
}

func TestOpenTwice(t *testing.T) {
	onEach(t, func(t *testing.T, at Location) {
		j := openAt(t, at)
		_, err := at.Open(t.Context(), Options{})
		var locked *LockedError
		if !errors.As(err, &locked) {
			t.Fatalf("got %v, want a *LockedError", err)
		}
		if o := locked.Owner; o.User != "ada" || o.PID != os.Getpid() || o.Started.IsZero() || o.Host == "" || locked.Lost {
			t.Errorf("owner %+v", o)
		}
		if msg := err.Error(); !strings.Contains(msg, "locked by ada on ") || !strings.Contains(msg, at.String()) {
			t.Errorf("message %q", msg)
		}
		if held, err := at.Lock(t.Context()); err != nil || held == nil || held.Owner.User != "ada" || held.Ledger != at.String() {
			t.Errorf("lock: %v, %v", held, err)
		}
		readAt(t, at) // needs no lock
		closed(t, j)
		if held, err := at.Lock(t.Context()); held != nil || err != nil {
			t.Errorf("lock after closing: %v, %v", held, err)
		}
		closed(t, openAt(t, at))
	})
}

func TestAppendCancelled(t *testing.T) {
	onEach(t, func(t *testing.T, at Location) {
		j := openAt(t, at)
		ask := add(t, j, intend("ada@x.io"))
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := j.Append(ctx, intend("bob@x.io")); !errors.Is(err, context.Canceled) {
			t.Errorf("intention: %v", err)
		}
		if _, err := j.Append(ctx, Record{Kind: Outcome, Of: ask.ID, Unknown: []org.Email{"ada@x.io"}}); err != nil {
			t.Errorf("outcome: %v", err)
		}
		closed(t, j)
		if _, err := j.Append(t.Context(), intend("bob@x.io")); !errors.Is(err, os.ErrClosed) {
			t.Errorf("after Close: %v", err)
		}
	})
}

func TestAppendConcurrently(t *testing.T) {
	onEach(t, func(t *testing.T, at Location) {
		j := openAt(t, at)
		var group sync.WaitGroup
		for i := range 8 {
			group.Go(func() {
				for n := range 20 {
					ask, err := j.Append(t.Context(), intend(org.Email(fmt.Sprintf("p%d-%d@x.io", i, n))))
					if err == nil {
						_, err = j.Append(t.Context(), Record{Kind: Outcome, Of: ask.ID, Set: []org.Email{ask.Limits[0].Email}})
					}
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		group.Wait()
		l := readAt(t, at)
		if p := l.Verify(); p != nil {
			t.Errorf("problems: %v", p)
		}
		if n := l.Known(org.Target{BaseURL: "u"}).Limits.Len(); n != 160 || l.Position().Serial != 320 {
			t.Errorf("%d limits at %+v", n, l.Position())
		}
		if diff := cmp.Diff(l.Records(), j.Log().Records()); diff != "" {
			t.Errorf("(-read +kept):\n%s", diff)
		}
	})
}

// Twenty appliers want one ledger at once. One at a time gets it, and every record of
// every one of them is there once, in a row.
func TestTwentyAppliers(t *testing.T) {
	onEach(t, func(t *testing.T, at Location) {
		const appliers, each = 20, 3
		var holders, most int // guarded by mu
		var mu sync.Mutex
		count := func(by int) {
			mu.Lock()
			defer mu.Unlock()
			holders += by
			most = max(most, holders)
		}
		apply := func(i int) error {
			var locked *LockedError
			j, err := at.Open(t.Context(), Options{Owner: fmt.Sprint("applier ", i)})
			for errors.As(err, &locked) && !t.Failed() {
				j, err = at.Open(t.Context(), Options{Owner: fmt.Sprint("applier ", i)})
			}
			if err != nil {
				return err
			}
			defer j.Close()
			count(+1)
			for n := range each {
				ask, err := j.Append(t.Context(), intend(org.Email(fmt.Sprintf("p%d-%d@x.io", i, n))))
				if err != nil {
					return err
				}
				if _, err := j.Append(t.Context(), Record{Kind: Outcome, Of: ask.ID, Set: []org.Email{ask.Limits[0].Email}}); err != nil {
					return err
				}
			}
			count(-1)
			return j.Close()
		}
		var group sync.WaitGroup
		for i := range appliers {
			group.Go(func() {
				if err := apply(i); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		if most != 1 {
			t.Errorf("%d held the ledger at once", most)
		}
		l := readAt(t, at) // a gap in the serials of a shared ledger is an error of reading
		if p := l.Verify(); p != nil {
			t.Errorf("problems: %v", p)
		}
		if known := l.Known(org.Target{BaseURL: "u"}); known.Limits.Len() != appliers*each || known.Position.Serial != 2*appliers*each {
			t.Errorf("%d limits at %+v", known.Limits.Len(), known.Position)
		}
	})
}

// A ledger keeps its meaning and its lineage when it is compacted, and goes on.
func TestCompact(t *testing.T) {
	onEach(t, func(t *testing.T, at Location) {
		j := openAt(t, at)
		for range 3 {
			ask := add(t, j, intend("ada@x.io", "bob@x.io"))
			add(t, j, Record{Kind: Outcome, Of: ask.ID, Set: []org.Email{"ada@x.io", "bob@x.io"}})
		}
		open := add(t, j, intend("eve@x.io"))
		before := readAt(t, at)
		removed, err := j.Compact(t.Context())
		if err != nil || removed != 4 {
			t.Fatalf("removed %d records, %v; want 4", removed, err)
		}
		after := readAt(t, at)
		target := org.Target{BaseURL: "u"}
		want, got := before.Known(target), after.Known(target)
		if want.Position.Lineage != got.Position.Lineage || got.Position.Serial != 3 {
			t.Errorf("position: before %+v, after %+v", want.Position, got.Position)
		}
		got.Position = want.Position
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("known (-before +after):\n%s", diff)
		}
		add(t, j, Record{Kind: Outcome, Of: open.ID, Set: []org.Email{"eve@x.io"}})
		again := readAt(t, at)
		if diff := cmp.Diff(again.Records(), j.Log().Records()); diff != "" || len(again.Verify()) != 0 {
			t.Errorf("after one more record (-read +kept):\n%s%v", diff, again.Verify())
		}
		if removed, err := j.Compact(t.Context()); err != nil || removed != 0 {
			t.Errorf("again: removed %d, %v", removed, err)
		}
	})
}

// The records of another ledger are added once, in the order of their time, and a record
// says where they come from.
func TestImport(t *testing.T) {
	onEach(t, func(t *testing.T, at Location) {
		other := openAt(t, locate(t, filepath.Join(t.TempDir(), "other.jsonl")))
		ask := add(t, other, intend("ada@x.io"))
		add(t, other, Record{Kind: Outcome, Of: ask.ID, Set: []org.Email{"ada@x.io"}})
		j := openAt(t, at)
		mine := add(t, j, intend("bob@x.io"))
		n, err := j.Import(t.Context(), other.Log(), Imported{By: "ada@build", Source: "other.jsonl"})
		if err != nil || n != 2 {
			t.Fatalf("imported %d, %v", n, err)
		}
		l := readAt(t, at)
		if diff := cmp.Diff(l.Records(), j.Log().Records()); diff != "" {
			t.Errorf("(-read +kept):\n%s", diff)
		}
		known := l.Known(org.Target{BaseURL: "u"})
		if gradeOf(known, "ada@x.io") != org.Confirmed || gradeOf(known, "bob@x.io") != org.Unknown || known.Position.Serial != 4 {
			t.Errorf("known %+v", known)
		}
		if known.Position.Lineage == other.Log().Position().Lineage {
			t.Error("the ledger took over a foreign lineage")
		}
		last := l.Records()[len(l.Records())-1]
		want := &Imported{By: "ada@build", Source: "other.jsonl", Lineage: other.Log().Position().Lineage, Records: 2}
		if diff := cmp.Diff(want, last.Import); diff != "" || last.Kind != Import || !last.At.After(mine.At) {
			t.Errorf("marker %+v\n%s", last, diff)
		}
		if n, err := j.Import(t.Context(), other.Log(), Imported{}); n != 0 || err != nil {
			t.Errorf("again: imported %d, %v", n, err)
		}
		if p := readAt(t, at).Position(); p.Serial != 4 {
			t.Errorf("importing nothing wrote something: %+v", p)
		}
	})
}

// A person's statement confirms a value until something else is asked, and says whose it
// is.
func TestImportedLimits(t *testing.T) {
	onEach(t, func(t *testing.T, at Location) {
		j := openAt(t, at)
		add(t, j, intend("ada@x.io")) // never answered
		stated := add(t, j, Record{Kind: Import, Target: Target{BaseURL: "u"}, Import: &Imported{By: "eve@desk", Source: "web.csv"},
			Limits: []Limit{{Email: "ada@x.io", Credits: 7}, {Email: "bob@x.io", Credits: 8}}})
		add(t, j, intend("bob@x.io"))
		known := readAt(t, at).Known(org.Target{BaseURL: "u"})
		want := map[org.Email]org.KnownLimit{
			"ada@x.io": {Grade: org.Confirmed, Credits: 7, At: stated.At}, "bob@x.io": {Grade: org.Unknown},
		}
		if diff := cmp.Diff(want, maps.Collect(known.Limits.All())); diff != "" {
			t.Errorf("limits (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(map[org.Email]string{"ada@x.io": "eve@desk"}, known.Stated); diff != "" {
			t.Errorf("stated (-want +got):\n%s", diff)
		}
		if p := readAt(t, at).Verify(); p != nil {
			t.Errorf("problems: %v", p)
		}
	})
}

// Readers see whole batches while another process writes.
func TestReadWhileAppending(t *testing.T) {
	onEach(t, func(t *testing.T, at Location) {
		j := openAt(t, at)
		done := make(chan struct{})
		go func() {
			defer close(done)
			for range 50 {
				if _, err := j.Append(context.Background(), intend("ada@x.io")); err != nil {
					t.Error(err)
				}
			}
		}()
		for last := 0; last < 50; {
			n := len(readAt(t, at).Records())
			if n < last {
				t.Fatalf("%d records after %d", n, last)
			}
			if last = n; t.Failed() {
				break
			}
		}
		<-done
	})
}
