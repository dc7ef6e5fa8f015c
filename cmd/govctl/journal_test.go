//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestJournal: to the journal every line begins with its level, and nobody else sees one.
func TestJournal(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.write("a.hcl", drifted)
	log := func(mine bool, args ...string) []string {
		t.Helper()
		f, err := os.Create(filepath.Join(b.dir, "log"))
		if err != nil {
			t.Fatal(err)
		}
		info, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		stat := info.Sys().(*syscall.Stat_t)
		inode := stat.Ino
		if !mine {
			inode++
		}
		b.binary(f, []string{fmt.Sprintf("JOURNAL_STREAM=%d:%d", stat.Dev, inode)}, append(args, b.dir)...)
		data, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(string(data)), "\n")
	}
	debug := log(true, "drift", "--name", "acme", "--log-level", "debug")
	if last := debug[len(debug)-1]; last != "<4>govctl drift: acme: Drifted: 1 difference." {
		t.Errorf("the last line is %q", last)
	}
	for _, line := range debug[:len(debug)-1] {
		if !strings.HasPrefix(line, "<7>msg=request ") || strings.Contains(line, "time=") {
			t.Errorf("line %q", line)
		}
	}
	if failed := log(true, "drift", "--since-revision", "99"); failed[0] != "<3>error: revision 99 is not there yet: the newest is 42" {
		t.Errorf("an error is %q", failed)
	}
	if other := log(false, "drift", "--since-revision", "99"); !strings.HasPrefix(other[0], "error: ") {
		t.Errorf("without a journal an error is %q", other)
	}
}
