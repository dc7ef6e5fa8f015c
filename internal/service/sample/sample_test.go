package sample_test

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/mail"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/pgtest"
	"github.com/govctl/govctl/internal/service/sample"
	"github.com/govctl/govctl/internal/service/store"
)

// seedHash changes when any fact of the sample changes; examples may depend on it.
const seedHash = "7de5b0f063610a81754eaab3c85e451af4f212b8a015824c089c6929ff8c0e35"

func TestSeedIsTheAgreedOne(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(sample.Seed())
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(text)
	if got := hex.EncodeToString(sum[:]); got != seedHash {
		t.Errorf("the sample organization changed: hash %s, want %s", got, seedHash)
	}
}

func TestLoadTwiceGivesIdenticalDatabases(t *testing.T) {
	t.Parallel()
	a, b := dump(t, load(t, 1)), dump(t, load(t, 2))
	if diff := cmp.Diff(a, b); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(a, "usr_250") || !strings.Contains(a, "ses_060") {
		t.Error("the dump lacks rows")
	}
}

// load fills a new database the given number of times and returns its path.
func load(t *testing.T, times int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sample.db")
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	for range times {
		if err := sample.Load(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// dump writes every row of every table of ours as text.
func dump(t *testing.T, path string) string {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var out strings.Builder
	for _, table := range []string{"organization", "users", "keys", "limits", "revisions", "computers", "computer_steps", "sessions", "messages", "readiness_reports", "span_blocks", "span_sessions", "dirty_days"} {
		dumpTable(t, db, table, &out)
	}
	return out.String()
}

func dumpTable(t *testing.T, db *sql.DB, table string, out *strings.Builder) {
	t.Helper()
	rows, err := db.Query("SELECT * FROM " + table + " ORDER BY 1, 2")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(any)
		}
		if err := rows.Scan(values...); err != nil {
			t.Fatal(err)
		}
		for i, v := range values {
			fmt.Fprintf(out, "%s.%s=%v ", table, columns[i], *v.(*any))
		}
		out.WriteString("\n")
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}

func TestLoadKeepsWhatChanged(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), load(t, 1))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.RemoveUser(t.Context(), "usr_250", sample.Organization().CreatedAt); err != nil {
		t.Fatal(err)
	}
	if err := sample.Load(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if users, err := s.Users(t.Context(), "", 1000); err != nil || len(users) != 249 {
		t.Errorf("%d users, %v", len(users), err)
	}
}

func TestLoadRefusesAnotherOrganization(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), pgtest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.CreateOrganization(t.Context(), store.Organization{ID: "org_other", CreatedAt: sample.Organization().CreatedAt}); err != nil {
		t.Fatal(err)
	}
	if err := sample.Load(t.Context(), s); err == nil {
		t.Error("loaded into another organization")
	}
}

func TestUsers(t *testing.T) {
	t.Parallel()
	users := sample.Users()
	teams, emails := map[string]int{}, map[string]bool{}
	address := regexp.MustCompile(`^[a-z]+\.[a-z]+@acme\.example$`)
	for i, u := range users {
		var meta map[string]string
		if err := json.Unmarshal([]byte(u.Metadata), &meta); err != nil {
			t.Fatal(err)
		}
		teams[meta["team"]]++
		emails[store.FoldEmail(u.Email)] = true
		if _, err := mail.ParseAddress(u.Email); err != nil {
			t.Error(err)
		}
		if i >= 10 && !address.MatchString(u.Email) {
			t.Errorf("%s: address %s", u.ID, u.Email)
		}
		if i >= 5 && i < 10 && (meta["team"] != "partner" || !strings.HasSuffix(u.Email, "@partner.example")) {
			t.Errorf("%s is no contractor: %s %s", u.ID, u.Email, u.Metadata)
		}
		if !strings.HasPrefix(meta["cost_center"], "cc-") || u.CreatedAt.Year() != 2026 || u.LastSignInAt.Before(u.CreatedAt) || u.LastSignInAt.Year() != 2026 {
			t.Errorf("%+v", u)
		}
	}
	if len(users) != 250 || len(emails) != 250 {
		t.Errorf("%d users, %d addresses", len(users), len(emails))
	}
	want := map[string]int{"ml": 40, "security": 12, "partner": 5, "platform": 70, "web": 42, "data": 41, "mobile": 40}
	if diff := cmp.Diff(want, teams); diff != "" {
		t.Error(diff)
	}
	first := []string{"usr_001", "ada@acme.example", "owner", "usr_002", "grace@acme.example", "manager", "usr_003", "linus@acme.example", "member",
		"usr_004", "Katherine.Johnson@acme.example", "member", "usr_005", "barbara@acme.example", "member"}
	var got []string
	for _, u := range users[:5] {
		got = append(got, u.ID, u.Email, string(u.Role))
	}
	if diff := cmp.Diff(first, got); diff != "" {
		t.Error(diff)
	}
}

func TestComputers(t *testing.T) {
	t.Parallel()
	var got []string
	for _, c := range sample.Computers() {
		got = append(got, strings.Join([]string{c.ID, c.Name, c.Provider, strings.TrimPrefix(c.HostID, "6f1c2d3e-0000-4000-8000-0000000000"), c.RemoteUser, c.StatusAt(c.CreatedAt)}, " "))
	}
	want := []string{
		"cmp_01 build-01 byom 01 root active", "cmp_02 build-02 byom 02 ci active", "cmp_03 build-03 byom 03 ci active",
		"cmp_04 old-runner byom 04 ci active", "cmp_05 gpu-01 byom 05 ml active", "cmp_06 gpu-02 byom 06 ml active",
		"cmp_07 sandbox-01 sandbox_vendor   active", "cmp_08 sandbox-02 sandbox_vendor   active", "cmp_09 sandbox-03 sandbox_vendor   active",
		"cmp_10 sandbox-04 sandbox_vendor   active", "cmp_11 sandbox-05 sandbox_vendor   active", "cmp_12 sandbox-06 sandbox_vendor   error",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSessions(t *testing.T) {
	t.Parallel()
	sessions := sample.Sessions()
	legacy := map[string]int{}
	for _, s := range sessions {
		var settings struct{ Model string }
		if err := json.Unmarshal([]byte(s.Settings), &settings); err != nil {
			t.Fatal(err)
		}
		switch settings.Model {
		case "model-legacy":
			legacy[s.Status]++
		case "model-a", "model-b", "model-c":
		default:
			t.Errorf("%s is on %q", s.ID, settings.Model)
		}
	}
	if want := map[string]int{"idle": 3, "running": 1}; len(sessions) != 60 || !reflect.DeepEqual(legacy, want) {
		t.Errorf("%d sessions, on model-legacy %v", len(sessions), legacy)
	}
}
