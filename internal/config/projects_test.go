package config

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tree writes files below a new directory.
func tree(t *testing.T, files map[string]string) string {
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

func TestProjects(t *testing.T) {
	t.Parallel()
	service := "service {\n  base_url = \"embedded:\"\n}\n"
	dir := tree(t, map[string]string{
		"hcl/a.hcl":            service,
		"yaml/a.yml":           "service: {base_url: \"embedded:\"}\n",
		"teams/ml/b.hcl":       "models {\n}\n",
		"teams/ml/c.hcl":       service,
		"teams/ml/inner/a.hcl": service,
		"broken/a.hcl":         service + "credit_limits {\n  default = = 1\n",
		"unclosed/a.hcl":       "x = \"\n" + service,
		"broken-yaml/a.yaml":   "service: {base_url: x}\n\tcomputer: [\n",
		"none/a.hcl":           "models {\n}\n# service {\nlocals {\n  service = 1\n}\n",
		"none/b.yaml":          "locals: {service: 1}\n",
		"text/service.txt":     service,
		".hidden/a.hcl":        service,
		"vendor/x/a.hcl":       service,
		"node_modules/a.hcl":   service,
	})
	got, err := Projects(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"broken", "broken-yaml", "hcl", "teams/ml", "teams/ml/inner", "unclosed", "yaml"}, got); diff != "" {
		t.Error(diff)
	}
	if got, err = Projects(filepath.Join(dir, "hcl")); err != nil || !cmp.Equal(got, []string{"."}) {
		t.Errorf("a project itself: %v, %v", got, err)
	}
	if _, err = Projects(filepath.Join(dir, "nowhere")); err == nil {
		t.Error("a directory that is not there has projects")
	}
}

// TestReads: everything the plan depends on is named, also what is not there.
func TestReads(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{
		"a.hcl":        "locals {\n  x = fileexists(\"maybe.txt\")\n  y = csvdecode(file(\"data/s.csv\"))\n}\ncredit_limits {\n  users_from = [\"limits/*.csv\"]\n}\npolicy {\n  paths = [\"rules\"]\n}\n",
		"b.yaml":       "models: {allowed: [m]}\n",
		"limits/1.csv": "email,limit\na@b.example,1\n",
		"data/s.csv":   "a\n1\n",
		"rules/x.rego": "package x\n",
		"README.md":    "no",
		"limits/2.txt": "no",
	})
	p, err := Load(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a.hcl", "b.yaml", "data/s.csv", "limits/1.csv", "maybe.txt", "rules"}, p.Reads); diff != "" {
		t.Error(diff)
	}
}
