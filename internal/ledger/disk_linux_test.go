package ledger

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/org"
)

// smallDisk is a directory on a file system of its own, as small as one can be.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("SKIPPED: a real full disk is not tested: mounting one takes root: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// A full disk stops an append, and with it the request it stands for. The ledger stays
// whole, can be read, and goes on when there is room again. Compacting needs room too and
// leaves the old file without it.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	path := filepath.Join(smallDisk(t), "ledger.jsonl")
	j, err := Open(path, Options{Now: clock()})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	var kept []Record
	for err == nil {
		if len(kept) > 1000 {
			t.Fatal("the disk does not get full")
		}
		var r Record
		if r, err = j.Append(t.Context(), Record{Kind: Outcome, Of: "none", RequestID: strings.Repeat("x", 500)}); err == nil {
			kept = append(kept, r)
		}
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	l, err := Read(path)
	if err != nil || l.Torn() {
		t.Fatalf("torn %v, %v", l.Torn(), err)
	}
	if diff := cmp.Diff(kept, l.Records()); diff != "" {
		t.Errorf("(-acknowledged +read):\n%s", diff)
	}
	if err := os.Truncate(path, l.size-600); err != nil { // makes room, as by a crash
		t.Fatal(err)
	}
	j.Close()
	if j, err = Open(path, Options{Now: clock()}); err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	add(t, j, Record{Kind: Outcome, Of: "none"})
}

func TestCompactOnFullDisk(t *testing.T) {
	t.Parallel()
	dir := smallDisk(t)
	path := filepath.Join(dir, "ledger.jsonl")
	j, err := Open(path, Options{Now: clock()})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	for i := range 100 {
		ask := add(t, j, intend("ada@x.io", org.Email(fmt.Sprintf("p%d@x.io", i))))
		add(t, j, Record{Kind: Outcome, Of: ask.ID, Set: []org.Email{"ada@x.io"}}) // p is never answered: all is needed
	}
	ask := add(t, j, intend("eve@x.io"))
	add(t, j, Record{Kind: Outcome, Of: ask.ID, Refused: []Refused{{"eve@x.io", "no"}}})
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := j.Compact(t.Context()); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("got %v", err)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("the ledger changed, %v", err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 2 {
		t.Errorf("files beside the ledger: %v, %v", files, err)
	}
	add(t, j, intend("bob@x.io"))
}

// A ledger that can be read and not written is good for plans and refused by apply.
func TestReadOnlyFileSystem(t *testing.T) {
	t.Parallel()
	dir := smallDisk(t)
	path := filepath.Join(dir, "ledger.jsonl")
	j, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	add(t, j, intend("ada@x.io"))
	closed(t, j)
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, "size=64k"); err != nil {
		t.Fatal(err)
	}
	if l, err := Read(path); err != nil || len(l.Records()) != 1 {
		t.Errorf("read: %v", err)
	}
	if _, err := Open(path, Options{}); !errors.Is(err, syscall.EROFS) {
		t.Errorf("open: %v", err)
	}
	if _, err := Open(filepath.Join(dir, "new", "ledger.jsonl"), Options{}); !errors.Is(err, syscall.EROFS) {
		t.Errorf("open a new one: %v", err)
	}
}
