package store_test

import (
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/service/store"
)

func TestImportUsers(t *testing.T) {
	t.Parallel()
	s := open(t, "ada@x.example")
	users := []store.User{{Email: "ADA@x.example", Role: store.Guest, CreatedAt: now()}, {Email: "bob@x.example", CreatedAt: now()}}
	for _, want := range []int{1, 0} {
		if n, err := s.ImportUsers(t.Context(), users); n != want || err != nil {
			t.Fatal(n, err)
		}
	}
	if u, err := s.UserByEmail(t.Context(), "ada@x.example"); err != nil || u.Role != store.Member {
		t.Errorf("an import changed a member: %+v, %v", u, err)
	}
	taken := []store.User{{Email: "new@x.example", CreatedAt: now()}, {ID: "usr_ada@x.example", Email: "c@x.example", CreatedAt: now()}}
	if _, err := s.ImportUsers(t.Context(), taken); !errors.Is(err, store.ErrExists) {
		t.Errorf("taken id: %v", err)
	}
	if all, err := s.AllUsers(t.Context()); len(all) != 2 || err != nil {
		t.Errorf("%d members, %v", len(all), err)
	}
}

func TestApplySettings(t *testing.T) {
	t.Parallel()
	s := open(t)
	by := store.Actor{ID: "u", Email: "ada@x.example", Name: "Ada"}
	for _, c := range []struct {
		settings string
		n        int64
		made     bool
	}{
		{`{"a": 1, "b": "##"}`, 1, true}, {`{"b":"#\u0023","a":1}`, 1, false}, {`{"a":1.0,"b":"##"}`, 2, true}, {`{"a":1}`, 3, true},
		{`{"a":12345678901234567890}`, 4, true}, {`{"a":12345678901234567891}`, 5, true},
	} {
		n, made, err := s.ApplySettings(t.Context(), json.RawMessage(c.settings), by, now())
		if n != c.n || made != c.made || err != nil {
			t.Errorf("%s: %d, %v, %v", c.settings, n, made, err)
		}
	}
	for _, bad := range []string{``, `[]`, `null`, `{`} {
		if _, _, err := s.ApplySettings(t.Context(), json.RawMessage(bad), by, now()); err == nil {
			t.Errorf("took %q", bad)
		}
	}
	r, err := s.Revision(t.Context(), 0)
	if err != nil || r.Number != 5 || r.Settings != `{"a":12345678901234567891}` || r.Actor != by {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := s.Revision(t.Context(), 2); err != nil || r.Number != 2 {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := s.Revision(t.Context(), 6); !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
}

// TestBackupWhileOthersWrite copies a database in use and finds the copy whole.
func TestBackupWhileOthersWrite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "s.db")
	s, other := reopen(t, path), reopen(t, path)
	if err := s.CreateOrganization(t.Context(), store.Organization{ID: "org", CreatedAt: now()}); err != nil {
		t.Fatal(err)
	}
	var done sync.WaitGroup
	done.Go(func() {
		for i := range 200 {
			if _, err := other.AddUser(t.Context(), store.User{Email: string(rune('a'+i%26)) + strings.Repeat("x", i) + "@x.example", CreatedAt: now()}); err != nil {
				t.Error(err)
			}
		}
	})
	copied := filepath.Join(dir, "copy.db")
	if err := s.Backup(t.Context(), copied); err != nil {
		t.Fatal(err)
	}
	done.Wait()
	if info, err := os.Stat(copied); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if err := s.Backup(t.Context(), copied); !errors.Is(err, store.ErrExists) {
		t.Errorf("overwrote a backup: %v", err)
	}
	if err := s.Backup(t.Context(), filepath.Join(dir, "nowhere", "x.db")); err == nil {
		t.Error("backed up to nowhere")
	}
	left, err := filepath.Glob(filepath.Join(dir, ".govctl-backup-*"))
	if err != nil || len(left) != 0 {
		t.Errorf("left behind %v, %v", left, err)
	}
	b := reopen(t, copied)
	if problems, err := b.Check(t.Context()); len(problems) != 0 || err != nil {
		t.Error(problems, err)
	}
	if o, err := b.Organization(t.Context()); err != nil || o.ID != "org" {
		t.Error(o, err)
	}
}

func reopen(t *testing.T, path string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestCheckFindsOrphans(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "test.db") // PostgreSQL checks on its own
	s := reopen(t, path)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`INSERT INTO messages (session_id, id, role, created_at, updated_at, content, extra)
		VALUES ('gone', 'm', 'user', 1, 1, '[]', '{}')`); err != nil {
		t.Fatal(err)
	}
	problems, err := s.Check(t.Context())
	if diff := cmp.Diff([]string{"messages: 1 rows refer to missing rows of sessions"}, problems); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestCounts(t *testing.T) {
	t.Parallel()
	s := open(t, "ada@x.example", "bob@x.example")
	if _, err := s.AddReports(t.Context(), []store.Report{report("a", "api", 1)}); err != nil {
		t.Fatal(err)
	}
	_, k, err := s.CreateKey(t.Context(), store.NewKey{Name: "n", Role: store.Owner}, now())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.RevokeKey(t.Context(), store.KeyPrefix("gk_"+k.Prefix+"_secret"), now()); err != nil {
		t.Fatal(err)
	}
	if c, err := s.Counts(t.Context()); err != nil || c != (store.Counts{Users: 2, Reports: 1}) {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestParseRole(t *testing.T) {
	t.Parallel()
	for name, good := range map[string]bool{"owner": true, "manager": true, "member": true, "guest": true, "": false, "Owner": false, "admin": false} {
		if r, err := store.ParseRole(name); (err == nil) != good || good && string(r) != name {
			t.Errorf("%q: %q, %v", name, r, err)
		}
	}
}
