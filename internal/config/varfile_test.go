package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/org"
)

func TestReadVarFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "team.vars")
	src := "credits = 1 + 2 # kept as text\nname = \"ml\"\nlist = [1,\n  2]\n"
	if err := os.WriteFile(path, []byte("\ufeff"+src), 0o600); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{"name": "before", "other": "kept"}
	if err := ReadVarFile(path, got); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"credits": "1 + 2", "name": "ml", "list": "[1,\n  2]", "other": "kept"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("variables (-want +got):\n%s", diff)
	}
	if err := os.WriteFile(path, []byte("block {\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := ReadVarFile(path, got); err == nil || !strings.Contains(err.Error(), path+":1") {
		t.Errorf("a block in a variables file: error %v, want one with its place", err)
	}
}

func TestDeclared(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	src := `credit_limits {
  users = { "Zoe@x.example" = 1, "ada@x.example" = 1 }
  group "g" {
    limit   = 2
    members = ["mia@x.example", "ada@x.example"]
  }
  boost "bob@x.example" {
    limit = 3
    until = "2099-01-01"
  }
}
`
	if err := os.WriteFile(filepath.Join(dir, "a.hcl"), []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := Load(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []org.Email{"ada@x.example", "bob@x.example", "mia@x.example", "zoe@x.example"}
	if diff := cmp.Diff(want, p.Declared()); diff != "" {
		t.Errorf("declared (-want +got):\n%s", diff)
	}
	if got := (&Project{}).Declared(); got != nil {
		t.Errorf("without limits: %v, want nil", got)
	}
}
