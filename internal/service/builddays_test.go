package service_test

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/service/servicetest"
	"github.com/govctl/govctl/internal/service/store"
)

// TestOlderSchemaIsBuiltAgain: what an older program counted differently is counted again
// when the service starts, if the spans are still there; a day without spans, and one that
// this version built, stays as it is.
func TestOlderSchemaIsBuiltAgain(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "s.db")
	s := openBare(t, path)
	for n := range 12 {
		at := servicetest.StartTime().AddDate(0, 0, -1-n/3)
		export(t, s, "sesame", newSpan(n, "agent.git.commit", at, map[string]any{"user.id": "u1", "session.id": "s", "agent.client": "web"}))
	}
	const three, seven = `"git_commits":3`, `"git_commits":7`
	want := map[string]map[string]string{}
	for _, day := range []string{"2026-11-16", "2026-11-17", "2026-11-18", "2026-11-19"} {
		want[day] = answers(t, s, day, day)
		if day == "2026-11-16" || day == "2026-11-19" {
			want[day]["productivity?"] = strings.ReplaceAll(want[day]["productivity?"], three, seven)
		}
		if !strings.Contains(want[day]["productivity?"], `"git_commits":`) {
			t.Fatalf("%s: no commits in %s", day, want[day]["productivity?"])
		}
	}
	yesterday := store.DayOf(servicetest.StartTime()) - 1
	if err := s.Store().DropSpans(t.Context(), yesterday-2); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	asOlderProgram(t, path, yesterday, three, seven)

	s = openBare(t, path)
	defer s.Close()
	for day := range want {
		if diff := cmp.Diff(want[day], answers(t, s, day, day)); diff != "" {
			t.Errorf("%s: %s", day, diff)
		}
	}
}

// asOlderProgram changes a text in all rows, and leaves all days but one as built with the
// schema before the first.
func asOlderProgram(t *testing.T, path string, but store.Day, from, to string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), `UPDATE analytics_day SET body = replace(body, ?, ?)`, from, to); err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), `UPDATE analytics_built SET schema = 0 WHERE day <> ?`, int64(but)); err != nil {
		t.Fatal(err)
	}
}
