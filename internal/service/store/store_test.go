package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/govctl/govctl/internal/pgtest"
	"github.com/govctl/govctl/internal/service/store"
)

func now() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }

// open opens a new database with an organization and the given members.
func open(t testing.TB, emails ...string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), pgtest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := s.CreateOrganization(t.Context(), store.Organization{ID: "org_test", Name: "Test", CreatedAt: now()}); err != nil {
		t.Fatal(err)
	}
	for _, email := range emails {
		if _, err := s.AddUser(t.Context(), store.User{ID: "usr_" + email, Email: email, CreatedAt: now()}); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestOpenMakesPrivateFiles(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: no file modes here")
	}
	dir := filepath.Join(t.TempDir(), "a b", "100%?#", "ü")
	path := filepath.Join(dir, "service.db")
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.CreateOrganization(t.Context(), store.Organization{ID: "org", CreatedAt: now()}); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) < 2 || entries[0].Name() != "service.db" {
		t.Errorf("files %v", entries)
	}
	for _, e := range entries {
		if info, err := e.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v, %v", e.Name(), info.Mode(), err)
		}
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("directory has mode %v, %v", info.Mode(), err)
	}
}

func TestOpenEmptyStaysEmpty(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), pgtest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Organization(t.Context()); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("organization: %v", err)
	}
}

func TestOpenRefusesWhatIsNoDatabase(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "test.db")
	if err := os.WriteFile(path, []byte("this is not a database, and it is long enough to tell"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{path, "", t.TempDir(), "postgres://%zz", "postgres://nobody@127.0.0.1:1/none?connect_timeout=5"} {
		if s, err := store.Open(t.Context(), path); err == nil {
			t.Errorf("opened %q", path)
			s.Close()
		}
	}
}

func TestOpenAtTheSameTime(t *testing.T) {
	t.Parallel()
	path := pgtest.Database(t)
	var done sync.WaitGroup
	for range 8 {
		done.Go(func() {
			s, err := store.Open(t.Context(), path)
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			err = s.CreateOrganization(t.Context(), store.Organization{ID: "org", CreatedAt: now()})
			if err != nil && !errors.Is(err, store.ErrExists) {
				t.Error(err)
			}
		})
	}
	done.Wait()
}

func TestNamesHoldNoPassword(t *testing.T) {
	t.Parallel()
	for database, want := range map[string]struct {
		name string
		has  bool
	}{
		"a/b.db":                            {"a/b.db", false},
		"postgres://ada@h/d":                {"postgres://ada@h/d", false},
		"postgres://ada:canary@h/d":         {"postgres://ada@h/d", true},
		"postgres:///d?host=h&user=ada":     {"postgres:///d?host=h&user=ada", false},
		"postgresql://h/d?password=canary":  {"postgresql://h/d", true},
		"postgres://h/d?sslPassword=canary": {"postgres://h/d", true},
		"postgres://%zzcanary":              {"postgres://…", false},
	} {
		if name, has := store.Name(database), store.HasPassword(database); name != want.name || has != want.has {
			t.Errorf("%s: %s, %v", database, name, has)
		}
	}
}
