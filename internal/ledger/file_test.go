package ledger

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/org"
)

// clock counts seconds, so that files are the same in every run but for their ids.
func clock() func() time.Time {
	n := 0
	return func() time.Time { n++; return start.Add(time.Duration(n) * time.Second) }
}

func openTemp(t *testing.T) (*Journal, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "new", "dir", "ledger.jsonl")
	f, err := Open(path, Options{Now: clock(), Owner: "ada"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f, path
}

func add(t *testing.T, f *Journal, r Record) Record {
	t.Helper()
	got, err := f.Append(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func intend(emails ...org.Email) Record {
	r := Record{Kind: Intention, Target: Target{BaseURL: "u"}, Plan: "sha256:0"}
	for i, e := range emails {
		r.Limits = append(r.Limits, Limit{Email: e, SendAs: "Ä" + string(e), Credits: int64(i + 1), UserID: "user_1"})
	}
	return r
}

// A crash may leave any prefix of the file. Every one is readable, confirms nothing that
// was not acknowledged, and can be appended to.
func TestEveryTruncation(t *testing.T) {
	t.Parallel()
	f, path := openTemp(t)
	var sizes []int64 // durable size after each Append
	size := func() {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, info.Size())
	}
	var last Record
	for i := range 3 {
		last = add(t, f, intend("ada@x.io", org.Email(fmt.Sprintf("p%d@x.io", i))))
		size()
		add(t, f, Record{Kind: Outcome, Of: last.ID, Set: []org.Email{"ada@x.io"}})
		size()
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	short := filepath.Join(t.TempDir(), "short.jsonl")
	for n := range len(data) + 1 {
		if err := os.WriteFile(short, data[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := Read(short)
		if err != nil {
			t.Fatalf("cut at %d: %v", n, err)
		}
		// A record without its newline is whole and counts.
		acknowledged, _ := slices.BinarySearch(sizes, int64(n)+2)
		if len(l.Records()) != acknowledged {
			t.Fatalf("cut at %d: %d records, want %d", n, len(l.Records()), acknowledged)
		}
		if acknowledged < 2 && gradeOf(l.Known(org.Target{BaseURL: "u"}), "ada@x.io") == org.Confirmed {
			t.Fatalf("cut at %d: confirmed without an outcome", n)
		}
		g, err := Open(short, Options{Now: clock()})
		if err != nil {
			t.Fatalf("cut at %d: %v", n, err)
		}
		add(t, g, intend("new@x.io"))
		if err := g.Close(); err != nil {
			t.Fatal(err)
		}
		if l, err = Read(short); err != nil || len(l.Records()) != acknowledged+1 || l.Torn() || len(l.Verify()) != 0 {
			t.Fatalf("cut at %d and repaired: %v, %v", n, err, l.Verify())
		}
	}
}

func TestReadDamage(t *testing.T) {
	t.Parallel()
	const head = `{"kind":"header","version":1,"lineage":"L1"}` + "\n"
	const one = `{"id":"1","at":"2026-11-03T09:00:00Z","kind":"note"}` + "\n"
	for _, c := range []struct{ name, data, want string }{
		{"other file", "hello\n", "f:1: not a govctl ledger"},
		{"other file without newline", "hello", "f:1: not a govctl ledger"},
		{"no header", one, "f:1: not a govctl ledger"},
		{"future version", strings.Replace(head, `:1,`, `:2,`, 1), "f:1: ledger format version 2 is not known"},
		{"future version without newline", strings.TrimSpace(strings.Replace(head, `:1,`, `:2,`, 1)), "f:1: ledger format version 2 is not known"},
		{"damage inside", head + "{]\n" + one, "f:2: damaged record"},
		{"damaged whole line", head + one + one[:20] + "\n", "f:3: damaged record"},
		{"no id", head + `{"at":"2026-11-03T09:00:00Z","kind":"note"}` + "\n", "f:2: damaged record: id, at and kind"},
		{"conflict", head + "<<<<<<< HEAD\n" + one, "f:2: git left a merge conflict here"},
		{"two lineages", head + one + strings.Replace(head, "L1", "L2", 1), "f:3: ledger L2 was merged into ledger L1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "f")
			if err := os.WriteFile(path, []byte(c.data), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := Read(path); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			if _, err := Open(path, Options{}); err == nil {
				t.Error("a damaged ledger was opened")
			}
			if after, err := os.ReadFile(path); err != nil || string(after) != c.data {
				t.Errorf("file changed to %q, %v", after, err)
			}
		})
	}
	for _, data := range []string{head + one + head + one, strings.ReplaceAll(head+one, "\n", "\r\n"), head + "\n" + one, head + one + "\x00\x00\x00"} {
		l, err := parse(data)
		if err != nil || len(l.Records()) != 1 {
			t.Errorf("%q: got %+v, %v", data, l, err)
		}
	}
}

// git's union merge may put the lines of two sides in any order and repeat them.
func TestMergeByLines(t *testing.T) {
	t.Parallel()
	f, path := openTemp(t)
	ask := add(t, f, intend("ada@x.io"))
	add(t, f, Record{Kind: Outcome, Of: ask.ID, Set: []org.Email{"ada@x.io"}})
	ask = add(t, f, intend("ada@x.io"))
	add(t, f, Record{Kind: Outcome, Of: ask.ID, Refused: []Refused{{"ada@x.io", "no"}}})
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSpace(string(data))+"\n", "\n")
	want, err := parse(string(data))
	if err != nil {
		t.Fatal(err)
	}
	for _, order := range [][]int{{0, 3, 4, 1, 2}, {0, 4, 3, 2, 1}, {0, 1, 2, 3, 4, 0, 1, 2, 3, 4}, {0, 2, 2, 1, 4, 3}} {
		var merged strings.Builder
		for _, i := range order {
			merged.WriteString(lines[i])
		}
		got, err := parse(merged.String())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.Records(), got.Records()); diff != "" || got.Position() != want.Position() {
			t.Errorf("order %v: %+v\n%s", order, got.Position(), diff)
		}
		if len(got.Verify()) == 0 {
			t.Errorf("order %v: Verify says nothing", order)
		}
	}
}

func TestVerify(t *testing.T) {
	t.Parallel()
	data := `{"kind":"header","version":1,"lineage":"L1"}
{"id":"1","at":"2026-11-03T09:00:00Z","kind":"intention","limits":[{"email":"a","credits":1},{"email":"a","credits":2}]}
{"id":"2","at":"2026-11-03T09:00:01Z","kind":"outcome","of":"1","set":["a","b"],"unknown":["a"]}
{"id":"2","at":"2026-11-03T09:00:00Z","kind":"outcome","of":"9"}
{"id":"3","at":"2026-11-03T09:00:02Z","kind":"remark"}
{"id":"4","at":"2026-11-03T09:00:03Z","kind":"intention"}
{"id":"5","at"`
	l, err := parse(data)
	if err != nil {
		t.Fatal(err)
	}
	want := []Problem{
		{2, "intention 1 names a twice", false},
		{3, "outcome 2 names b, which its intention does not", false},
		{3, "outcome 2 names a twice", false},
		{4, "is older than the record before it, as after a merge", true},
		{4, "record 2 stands already on line 3", false},
		{4, `outcome 2 belongs to intention "9", which is not in this ledger`, false},
		{5, `kind "remark" is not known to this govctl; the record is kept and ignored`, false},
		{6, "intention 4 intends nothing", false},
		{7, "was cut off by a crash; the next apply removes it", false},
	}
	if diff := cmp.Diff(want, l.Verify()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if s := l.Position().Serial; s != 4 {
		t.Errorf("serial %d: the unknown kind and the first of the twins count", s)
	}
}

// What a ledger holds is nobody else's business.
func TestFileModes(t *testing.T) {
	t.Parallel()
	j, path := openTemp(t)
	modes := map[string]fs.FileMode{path: 0o600, filepath.Dir(path): 0o700 | fs.ModeDir, path + ".lock": 0o600}
	for range 2 {
		for range 2 {
			ask := add(t, j, intend("ada@x.io"))
			add(t, j, Record{Kind: Outcome, Of: ask.ID, Set: []org.Email{"ada@x.io"}})
		}
		for name, mode := range modes {
			if info, err := os.Stat(name); err != nil || info.Mode() != mode {
				t.Errorf("%s: mode %v, %v; want %v", name, info.Mode(), err, mode)
			}
		}
		if n, err := j.Compact(t.Context()); n == 0 || err != nil { // the new file has them too
			t.Fatalf("removed %d, %v", n, err)
		}
	}
	if files, err := os.ReadDir(filepath.Dir(path)); err != nil || len(files) != 2 {
		t.Errorf("files beside the ledger: %v, %v", files, err)
	}
}

func TestLockOfDeadProcessIsFree(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.jsonl")
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), "LEDGER_TEST_HOLD="+path)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "held\n" {
		t.Fatalf("child said %q, %v", line, err)
	}
	var locked *LockedError
	if _, err := Open(path, Options{}); !errors.As(err, &locked) || locked.Owner.PID != child.Process.Pid {
		t.Errorf("while the child lives: %v", err)
	}
	child.Process.Kill()
	child.Wait()
	f, err := Open(path, Options{})
	if err != nil {
		t.Fatalf("after its death: %v", err)
	}
	f.Close()
}

// faulty breaks one call of a sink.
type faulty struct {
	sink
	write, sync, cut bool
}

var errDisk = errors.New("disk full")

func (f *faulty) Write(p []byte) (int, error) {
	if f.write {
		n, _ := f.sink.Write(p[:len(p)/2])
		return n, errDisk
	}
	return f.sink.Write(p)
}

func (f *faulty) Sync() error {
	if f.sync {
		return errDisk
	}
	return f.sink.Sync()
}

func (f *faulty) Truncate(n int64) error {
	if f.cut {
		return errDisk
	}
	return f.sink.Truncate(n)
}

func TestAppendFails(t *testing.T) {
	t.Parallel()
	for name, broken := range map[string]faulty{"write": {write: true}, "sync": {sync: true}, "write and truncate": {write: true, cut: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, path := openTemp(t)
			add(t, f, intend("ada@x.io"))
			disk := f.store.(*file).out
			broken.sink = disk
			f.store.(*file).out = &broken
			if _, err := f.Append(context.Background(), intend("bob@x.io")); !errors.Is(err, errDisk) {
				t.Fatalf("got %v", err)
			}
			f.store.(*file).out = disk
			l, err := Read(path)
			if err != nil || len(l.Records()) != 1 {
				t.Errorf("after the fault: %d records, %v", len(l.Records()), err)
			}
			if l.Torn() != (name == "write and truncate") {
				t.Errorf("half a record left: %v", l.Torn())
			}
			_, err = f.Append(context.Background(), intend("eve@x.io"))
			if usable := name == "write"; (err == nil) != usable {
				t.Errorf("next Append: %v, want it usable: %v", err, usable)
			}
		})
	}
}

func TestFirstAppendFails(t *testing.T) {
	t.Parallel()
	f, path := openTemp(t)
	disk := f.store.(*file).out
	f.store.(*file).out = &faulty{sink: disk, write: true}
	if _, err := f.Append(context.Background(), intend("ada@x.io")); err == nil {
		t.Fatal("no error")
	}
	f.store.(*file).out = disk
	add(t, f, intend("bob@x.io"))
	if l, err := Read(path); err != nil || len(l.Records()) != 1 || l.Position() != f.Log().Position() {
		t.Errorf("got %+v, %v", l, err)
	}
}
