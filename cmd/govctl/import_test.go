package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/config"
	"github.com/govctl/govctl/internal/scaffold"
	"github.com/govctl/govctl/internal/service"
)

// importInto runs an import into a new directory of the bench.
func (b *bench) importInto(dir string, args ...string) (code int, said string) {
	b.t.Helper()
	var out bytes.Buffer
	args = append([]string{"import", dir, "--base-url", b.url, "--api-key-file", filepath.Join(b.dir, "key"), "--max-wait", "0"}, args...)
	code = run(b.t.Context(), args, stdio{in: strings.NewReader(""), out: &out, err: &out, now: fixedNow})
	return code, out.String()
}

// TestImportIncomplete: whatever cannot be read ends an import with exit code 6 and
// nothing written; --partial writes the rest and says so.
func TestImportIncomplete(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]string{
		"members": "/api/v0/organization/users", "settings": "/api/v0/organization/enterprise-controls/history",
		"sessions": "/api/v0/sessions", "computer": "/api/v0/computers/", "readiness": "/api/organization/maturity-level-reports",
		"organization": "/api/v1/analytics/activity",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			fault := func(r *http.Request) service.Fault {
				if strings.HasPrefix(r.URL.Path, path) {
					return service.Fault{Status: http.StatusInternalServerError}
				}
				return service.Fault{}
			}
			b.fault.Store(&fault)
			dir := filepath.Join(t.TempDir(), "new")
			code, said := b.importInto(dir, "--readiness")
			if code != exitIncomplete || !strings.Contains(said, "nothing was written") || !strings.Contains(said, name) {
				t.Errorf("exit %d\n%s", code, said)
			}
			if _, err := os.Stat(dir); err == nil {
				t.Error("the directory was made")
			}
			code, said = b.importInto(dir, "--readiness", "--partial", "--default-limit", "7")
			if code != exitDone || !strings.Contains(said, "INCOMPLETE: "+name) {
				t.Errorf("partial: exit %d\n%s", code, said)
			}
			text, err := os.ReadFile(filepath.Join(dir, "govctl.hcl"))
			if err != nil || !strings.Contains(string(text), "# not read: "+name) {
				t.Errorf("the files do not say it: %v\n%s", err, text)
			}
			if n := b.written.Load(); n != 0 {
				t.Errorf("%d requests were no GET", n)
			}
		})
	}
}

// TestImportHostileNames: computers and people are called what they like; the files load,
// and a plan of them has nothing to do.
func TestImportHostileNames(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	names := []string{`ci ${x} %{if}`, `a" { b = "c`, `#/*"\`, `::set-output name=x::y`, "\u202edesrever", "e\u0301", `..a`, "for"}
	for _, name := range names {
		body, err := json.Marshal(map[string]string{"name": name, "provider": "byom", "remoteUser": name})
		if err != nil {
			t.Fatal(err)
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url+"/api/v0/computers", bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer key")
		r.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusCreated {
			t.Fatalf("%q: %s", name, answer.Status)
		}
	}
	dir := filepath.Join(t.TempDir(), "new")
	args := []string{"--from-sessions=false"}
	for _, name := range names {
		args = append(args, "--computer", "name="+name)
	}
	code, said := b.importInto(dir, args...)
	if code != exitDone || !strings.Contains(said, "Not declared: computer") || strings.ContainsRune(said, '\u202e') || strings.Contains(said, "\n::") {
		t.Errorf("exit %d\n%q", code, said)
	}
	p, err := config.Load(dir, config.Options{})
	if err != nil || len(p.Computers) != len(names)-1 { // the decomposed one is left out
		t.Errorf("%d computers, %v", len(p.Computers), err)
	}
	var out bytes.Buffer
	args = []string{"plan", dir, "--detailed-exitcode", "--api-key-file", filepath.Join(b.dir, "key")}
	if code := run(t.Context(), args, stdio{in: strings.NewReader(""), out: &out, err: &out, now: fixedNow}); code != exitDone {
		t.Errorf("plan: exit %d\n%s", code, out.String())
	}
}

// TestNewFilesAllOrNone: a file in the way, or a check that fails, leaves nothing behind.
func TestNewFilesAllOrNone(t *testing.T) {
	t.Parallel()
	fine := func(string) error { return nil }
	files := []scaffold.File{{Path: "a.hcl", Content: []byte("a")}, {Path: "sub/b.csv", Content: []byte("b")}, {Path: "c.hcl", Content: []byte("c")}}
	left := func(dir string) []string {
		list, _ := filepath.Glob(filepath.Join(dir, "*"))
		hidden, _ := filepath.Glob(filepath.Join(dir, ".*"))
		return append(list, hidden...)
	}
	for name, c := range map[string]struct {
		there string
		n     newFiles
	}{
		"exists":        {"c.hcl", newFiles{check: fine}},
		"check fails":   {"", newFiles{check: func(string) error { return os.ErrInvalid }}},
		"project fails": {"", newFiles{check: fine, after: func() error { return os.ErrInvalid }}},
		"in the way":    {"sub", newFiles{check: fine}},
	} {
		dir := t.TempDir()
		want := []string(nil)
		if c.there != "" {
			want = []string{filepath.Join(dir, c.there)}
			if err := os.WriteFile(want[0], []byte("mine"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		c.n.dir, c.n.files = dir, files
		if err := c.n.place(); err == nil {
			t.Errorf("%s: no error", name)
		}
		got := left(dir)
		if name == "project fails" {
			got = filterOut(got, filepath.Join(dir, "sub")) // an empty directory may stay
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: left behind %s", name, diff)
		}
	}
	dir := filepath.Join(t.TempDir(), "new", "er")
	if err := (newFiles{dir: dir, files: files, check: fine}).place(); err != nil || len(left(dir)) != 3 {
		t.Errorf("%v, %v", err, left(dir))
	}
}

func filterOut(list []string, drop string) (out []string) {
	for _, s := range list {
		if s != drop {
			out = append(out, s)
		}
	}
	return out
}

// TestInitQuestions: what no flag says is asked for, and an empty line takes what is in
// brackets.
func TestInitQuestions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		flags   starterFlags
		answers string
		want    scaffold.Service
		limit   int64 // -1: none
		keep    bool
	}{
		"all of it":    {starterFlags{commit: true}, "https://api.example.com\norg_x\n42\nyes\n", scaffold.Service{BaseURL: "https://api.example.com", Organization: "org_x"}, 42, true},
		"nothing":      {starterFlags{commit: true}, "\n\n\n", scaffold.Service{BaseURL: "embedded:", Organization: "org_acme"}, 1000000, false},
		"dashes":       {starterFlags{commit: true}, "https://api.example.com\n-\n-\nno\n", scaffold.Service{BaseURL: "https://api.example.com"}, -1, false},
		"flags answer": {starterFlags{commit: true, commitSaid: true, embedded: true, organization: "o", fallback: "1"}, "", scaffold.Service{BaseURL: "embedded:", Organization: "o"}, 1, true},
	} {
		var asked bytes.Buffer
		a := &app{stdio: stdio{in: oneByOne{strings.NewReader(c.answers)}, err: &asked}}
		s, keep, err := a.answers(scaffold.Starter{}, c.flags, true)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		limit := int64(-1)
		if s.Default != nil {
			limit = *s.Default
		}
		if s.Service != c.want || limit != c.limit || keep != c.keep {
			t.Errorf("%s: %+v, limit %d, keep %v\n%s", name, s.Service, limit, keep, asked.String())
		}
	}
	a := &app{stdio: stdio{in: strings.NewReader(""), err: &bytes.Buffer{}}}
	if _, _, err := a.answers(scaffold.Starter{}, starterFlags{}, true); err == nil {
		t.Error("nobody answers, and no error")
	}
}

// oneByOne gives one byte at a time, as a terminal gives one line.
type oneByOne struct{ r *strings.Reader }

func (o oneByOne) Read(p []byte) (int, error) { return o.r.Read(p[:1]) }
