package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// today is the clock of all tests.
var today = time.Date(2026, 11, 20, 21, 0, 0, 0, time.UTC)

// project writes files into a new directory. A file "x/y" makes the directory x.
func project(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func load(t testing.TB, files map[string]string, o Options) (*Project, error) {
	t.Helper()
	if o.Now.IsZero() {
		o.Now = today
	}
	return Load(project(t, files), o)
}

// mustLoad loads a project that has nothing wrong with it.
func mustLoad(t testing.TB, files map[string]string) *Project {
	t.Helper()
	p, err := load(t, files, Options{})
	if err != nil {
		t.Fatalf("load: %v\nfiles: %q", err, files)
	}
	return p
}

// problemLines renders problems as "file:line:col: message", one per line.
func problemLines(t testing.TB, err error) string {
	t.Helper()
	var ps Problems
	if !errors.As(err, &ps) {
		t.Fatalf("got error %v, want Problems", err)
	}
	var b strings.Builder
	for _, p := range ps {
		p.Snippet, p.Hint = "", ""
		p.write(&b)
		b.WriteByte('\n')
	}
	return b.String()
}
