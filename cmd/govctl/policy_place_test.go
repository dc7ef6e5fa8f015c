package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/govctl/govctl/internal/config"
	"github.com/govctl/govctl/internal/org"
)

func TestRepositoryDir(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	project := filepath.Join(root, "orgs", "acme")
	if err := os.MkdirAll(project, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := repositoryDir(project); got != filepath.ToSlash(project) {
		t.Errorf("without a repository: %q, want the directory as given", got)
	}
	// A worktree has a file where a clone has a directory.
	if err := os.WriteFile(filepath.Join(root, ".git"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{project: "orgs/acme", root: ".", filepath.Join(project, "..", "acme"): "orgs/acme"} {
		if got := repositoryDir(dir); got != want {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
	}
}

func TestFindingPlace(t *testing.T) {
	t.Parallel()
	service, policy := org.Source{File: "service.hcl", Line: 1, Column: 1}, org.Source{File: "policy.hcl", Line: 9, Column: 1}
	both := &config.Project{Dir: "orgs/acme", Service: config.Service{Source: service}, Policy: config.Policy{Source: policy}}
	for _, c := range []struct {
		name    string
		project *config.Project
		files   []string
		want    string
	}{
		{"the policy block", both, nil, "policy.hcl:9:1"},
		{"the service block", &config.Project{Dir: ".", Service: config.Service{Source: service}}, nil, "service.hcl:1:1"},
		{"nothing", &config.Project{Dir: "."}, nil, ""},
		{"the file", both, []string{"snapshots/a.json"}, "../../snapshots/a.json:0:0"},
		{"stdin", both, []string{"-"}, "policy.hcl:9:1"},
		{"several files", both, []string{"a.json", "b.json"}, "policy.hcl:9:1"},
	} {
		var files []policyInput
		for _, f := range c.files {
			files = append(files, policyInput{file: f})
		}
		if got := findingPlace(c.project, files).String(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
