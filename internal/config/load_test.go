package config

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/org"
)

func TestLoadNothing(t *testing.T) {
	t.Parallel()
	_, err := load(t, map[string]string{"README.md": "x", ".hidden.hcl": "}", "sub/a.hcl": "}"}, Options{})
	ps, ok := err.(Problems)
	if !ok || len(ps) != 1 || !strings.HasPrefix(ps[0].Message, "no *.hcl, *.yaml or *.yml files in ") || ps[0].Hint == "" {
		t.Errorf("got %v", err)
	}
	if _, err = Load(filepath.Join(t.TempDir(), "absent"), Options{}); !errors.Is(err, fs.ErrNotExist) || errors.As(err, &ps) {
		t.Errorf("got %v, want an I/O error", err)
	}
}

// How a project is cut into files, and which syntax each has, changes nothing.
func TestSplittingChangesNothing(t *testing.T) {
	t.Parallel()
	parts := []string{
		"credit_limits {\n  default = 5\n}\n",
		"credit_limits {\n  users = { \"b@example.com\" = 1 }\n  ignore = [\"*@x.example.com\"]\n}\n",
		"credit_limits {\n  users = { \"a@example.com\" = 2 }\n  ignore = [\"*@y.example.com\"]\n  group \"g\" {\n    limit = 3\n    match = [\"g*\"]\n  }\n}\n",
		"settings {\n  expect = { a = { b = 1 } }\n}\n",
		"settings {\n  expect = { a = { c = 2 } }\n  absent = [\"/z\"]\n}\n",
		"policy {\n  severity = { A1 = \"low\" }\n  parameters = { x = 1 }\n}\n",
		"policy {\n  severity = { B1 = \"high\" }\n  parameters = { y = 2 }\n  disable = [\"Z1\", \"A9\"]\n}\n",
		"readiness {\n  default {\n    min_score = 0.5\n  }\n}\n",
		"readiness {\n  default {\n    branch = \"main\"\n  }\n  repository \"https://example.com/b\" {}\n  repository \"https://example.com/a\" {}\n}\n",
	}
	members := []org.Member{{ID: "1", Email: "g1@example.com"}, {ID: "2", Email: "h@x.example.com"}}
	want := decode(t, map[string]string{"a.hcl": strings.Join(parts, "")}, members...)
	forward, backward := map[string]string{}, map[string]string{}
	for i, part := range parts {
		forward[string(rune('a'+i))+".hcl"] = part
		backward[string(rune('z'-i))+".hcl"] = part
	}
	for _, files := range []map[string]string{forward, backward} {
		if diff := cmp.Diff(want, decode(t, files, members...), withoutPlaces); diff != "" {
			t.Errorf("(-one file +several):\n%s", diff)
		}
	}
	if len(want.Wanted.Limits) != 3 || len(want.Expectations) != 3 || len(want.Policy.Severity) != 2 {
		t.Errorf("the parts are not all there: %+v", want)
	}
}

// The digests change with everything that was read and with nothing else.
func TestDigests(t *testing.T) {
	t.Parallel()
	base := map[string]string{
		"a.hcl":      "variable \"v\" { default = \"x\" }\nlocals {\n  t = file(\"data/t.txt\")\n  e = fileexists(\"data/none\")\n}\npolicy { paths = [\"rules\"] }\ncredit_limits { users_from = [\"l.csv\"] }\n",
		"b.yaml":     "models: {blocked: []}\n",
		"data/t.txt": "t", "l.csv": "email,limit\na@example.com,1\n",
		"rules/x.rego": "package x\n", "rules/notes.md": "n", "other.txt": "o",
	}
	digests := func(change, text string, o Options) [2]string {
		files := maps.Clone(base)
		if change != "" {
			files[change] = text
		}
		p, err := load(t, files, o)
		if err != nil {
			t.Fatal(err)
		}
		return [2]string{p.Digest, p.PolicyDigest}
	}
	want := digests("", "", Options{})
	if again := digests("", "", Options{}); again != want || !strings.HasPrefix(want[0], "sha256:") || !strings.HasPrefix(want[1], "sha256:") {
		t.Errorf("got %v, then %v", want, again)
	}
	tests := []struct {
		name, change, text string
		options            Options
		config, policy     bool
	}{
		{name: "hcl comment", change: "a.hcl", text: base["a.hcl"] + "# x\n", config: true},
		{name: "yaml", change: "b.yaml", text: "models: {blocked: [x]}\n", config: true},
		{name: "csv", change: "l.csv", text: "email,limit\na@example.com,2\n", config: true},
		{name: "file()", change: "data/t.txt", text: "u", config: true},
		{name: "fileexists()", change: "data/none", text: "", config: true},
		{name: "variable", options: Options{Vars: map[string]string{"v": "y"}}, config: true},
		{name: "environment", options: Options{Env: map[string]string{"v": "y"}}, config: true},
		{name: "unused environment", options: Options{Env: map[string]string{"w": "y"}}},
		{name: "rego", change: "rules/x.rego", text: "package y\n", policy: true},
		{name: "new policy data", change: "rules/data.yaml", text: "a: 1\n", policy: true},
		{name: "policy block", change: "a.hcl", text: strings.Replace(base["a.hcl"], "policy {", "policy {\n  disable = [\"X1\"]\n}\npolicy {", 1), config: true, policy: true},
		{name: "not read", change: "other.txt", text: "p"},
		{name: "not a policy", change: "rules/notes.md", text: "p"},
	}
	for _, test := range tests {
		got := digests(test.change, test.text, test.options)
		if (got[0] != want[0]) != test.config || (got[1] != want[1]) != test.policy {
			t.Errorf("%s: config changed %v, want %v; policy changed %v, want %v", test.name, got[0] != want[0], test.config, got[1] != want[1], test.policy)
		}
	}
}

// Nothing outside the project is read, whichever way a file is named.
func TestConfinement(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	secret := filepath.Join(outside, "secret.txt")
	if err := os.WriteFile(secret, []byte("email,limit\ns3cret@example.com,1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	rel := func(dir string) string {
		r, err := filepath.Rel(dir, secret)
		if err != nil {
			t.Fatal(err)
		}
		return filepath.ToSlash(r)
	}
	for name, text := range map[string]func(dir string) string{
		"absolute":         func(string) string { return "locals {\n  x = file(\"" + filepath.ToSlash(secret) + "\")\n}" },
		"parent":           func(dir string) string { return "locals {\n  x = file(\"" + rel(dir) + "\")\n}" },
		"parent and back":  func(string) string { return "locals {\n  x = file(\"sub/../a.hcl\")\n}" },
		"symlink":          func(string) string { return "locals {\n  x = file(\"link.txt\")\n}" },
		"exists":           func(dir string) string { return "locals {\n  x = fileexists(\"" + rel(dir) + "\")\n}" },
		"csv symlink":      func(string) string { return "credit_limits {\n  users_from = [\"link.*\"]\n}" },
		"directory":        func(string) string { return "locals {\n  x = file(\"sub\")\n}" },
		"policies symlink": func(string) string { return "policy {\n  paths = [\"out\"]\n}" },
	} {
		dir := project(t, map[string]string{"sub/x": ""})
		for link, target := range map[string]string{"link.txt": secret, "out": outside} {
			if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
				t.Skip("SKIPPED: no symbolic links:", err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, "a.hcl"), []byte(text(dir)), 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := Load(dir, Options{})
		var ps Problems
		if !errors.As(err, &ps) {
			t.Errorf("%s: got %+v, %v; want a problem", name, p, err)
		} else if strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: the content shows:\n%v", name, err)
		}
	}
}

// Addresses that normalising changed are accepted and told about.
func TestNormalForm(t *testing.T) {
	t.Parallel()
	p := mustLoad(t, map[string]string{
		"a.yaml": "credit_limits:\n  users: {\"e\u0301a@example.com\": 1}\n",
		"b.hcl":  "credit_limits {\n  users = { \"e\u0301b@example.com\" = 2 }\n  users_from = [\"c.csv\"]\n  boost \"e\u0301d@example.com\" {\n    limit = 4\n    until = \"2027-01-01\"\n  }\n}\n",
		"c.csv":  "email,limit\ne\u0301c@example.com,3\n",
	})
	w, err := p.Resolve(nil, today)
	if err != nil {
		t.Fatal(err)
	}
	var got []org.Email
	for _, l := range w.Limits {
		got = append(got, l.Email)
	}
	if diff := cmp.Diff([]org.Email{"éa@example.com", "éb@example.com", "éc@example.com", "éd@example.com"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want := "a.yaml:2:11: warning: the address éa@example.com was not in Unicode normal form C: U+0301 became U+00E9\n" +
		"b.hcl:2:13: warning: the address éb@example.com was not in Unicode normal form C: U+0301 became U+00E9\n" +
		"b.hcl:4:9: warning: the address éd@example.com was not in Unicode normal form C: U+0301 became U+00E9\n" +
		"c.csv:2:1: warning: the address éc@example.com was not in Unicode normal form C: U+0301 became U+00E9\n"
	if diff := cmp.Diff(want, problemLines(t, p.Warnings)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A null in HCL is the same as not written, except where something must be.
func TestNull(t *testing.T) {
	t.Parallel()
	p := mustLoad(t, map[string]string{"a.hcl": "variable \"host\" { default = null }\ncomputer \"x\" {\n  provider = \"byom\"\n  host_id = var.host\n  remote_user = var.host == null ? null : \"ci\"\n}\nmodels {\n  allowed = null\n  blocked = []\n}\n"})
	if c := p.Computers[0]; c.HostID != "" || c.RemoteUser != "" {
		t.Errorf("got %+v", c)
	}
	if len(p.Expectations) != 1 || p.Expectations[0].Pointer != "/modelPolicy/blockedModelIds" {
		t.Errorf("got %+v", p.Expectations)
	}
	_, err := load(t, map[string]string{"a.hcl": "computer \"x\" {\n  provider = null\n}\n", "b.yaml": "models: {allowed: }\nsettings:\n  absent:\n"}, Options{})
	want := "a.hcl:1:1: computer \"x\" needs provider\nb.yaml:1:10: allowed has no value\nb.yaml:3:3: absent has no value\n"
	if diff := cmp.Diff(want, problemLines(t, err)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The example of the design is a project.
func TestDesignExample(t *testing.T) {
	t.Parallel()
	p, err := Load("testdata/design", Options{Now: today})
	if err != nil {
		t.Fatal(err)
	}
	w, err := p.Resolve([]org.Member{{ID: "1", Email: "ada@example.com"}, {ID: "2", Email: "new@example.com"}, {ID: "3", Email: "x@partner.example.com"}}, today)
	if err != nil {
		t.Fatal(err)
	}
	got := map[org.Email]int64{}
	for _, l := range w.Limits {
		got[l.Email] = l.Credits
	}
	want := map[org.Email]int64{"ada@example.com": 9000000, "bob@example.com": 3000000, "grace@example.com": 5000000, "lin@example.com": 4000000, "new@example.com": 1000000}
	if diff := cmp.Diff(want, got); diff != "" || w.Ignored != 1 || len(p.Warnings) != 0 {
		t.Errorf("ignored %d, warnings %v (-want +got):\n%s", w.Ignored, p.Warnings, diff)
	}
	if p.Models.ResetTo != "model-a" || len(p.Computers) != 1 || len(p.Policy.Waivers) != 1 || len(p.Readiness.Repositories) != 1 {
		t.Errorf("got %+v", p)
	}
}

// What is computed is read like what is written out.
func TestComputedValues(t *testing.T) {
	t.Parallel()
	written := decode(t, map[string]string{"a.hcl": `
models { allowed = ["a", "b"] }
settings { expect = { x = { y = [1, 2.5] }, z = "t" } }
readiness {
  default { criteria = { lint = 0.5 } }
}
policy {
  severity   = { A1 = "low" }
  parameters = { p = { q = 1 } }
}
`})
	computed := decode(t, map[string]string{"a.hcl": `
locals {
  list = toset(["b", "a"])
  half = 1 / 2
}
models { allowed = local.list }
settings { expect = merge({ x = { y = [1, 5 * local.half] } }, { z = lower("T") }) }
readiness {
  default { criteria = { for k in ["lint"] : k => local.half } }
}
policy {
  severity   = tomap({ A1 = "low" })
  parameters = jsondecode("{\"p\":{\"q\":1}}")
}
`})
	if diff := cmp.Diff(written, computed, withoutPlaces); diff != "" {
		t.Errorf("(-written +computed):\n%s", diff)
	}
	if len(written.Expectations) != 3 || len(written.Policy.Parameters) != 1 {
		t.Errorf("got %+v", written)
	}
}
