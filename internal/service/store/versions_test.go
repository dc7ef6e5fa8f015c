package store_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestLibcIsTheOneOfSQLite: modernc.org/sqlite works only with exactly the libc of its
// own go.mod, which "go get" of anything else may change.
func TestLibcIsTheOneOfSQLite(t *testing.T) {
	t.Parallel()
	list := func(format string, module string) string {
		out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", format, module).Output()
		if err != nil {
			t.Skip("SKIPPED: go list does not work here:", err)
		}
		return strings.TrimSpace(string(out))
	}
	dir := list("{{.Dir}}", "modernc.org/sqlite")
	if dir == "" {
		t.Skip("SKIPPED: the source of modernc.org/sqlite is not here")
	}
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	want := regexp.MustCompile(`modernc\.org/libc (v\S+)`).FindSubmatch(mod)
	if want == nil {
		t.Fatal("modernc.org/sqlite no longer names a libc")
	}
	if got := list("{{.Version}}", "modernc.org/libc"); got != string(want[1]) {
		t.Errorf("modernc.org/libc is %s, modernc.org/sqlite needs %s", got, want[1])
	}
}
