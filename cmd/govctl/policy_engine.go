package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/govctl/govctl/internal/config"
	"github.com/govctl/govctl/internal/policy"
	"github.com/govctl/govctl/policies"
)

// shipped is the library as this process has compiled it, for all projects.
var shipped policy.Shared

// policyOptions are the rules of a project: the shipped ones, its own, and what its
// policy block says of them. Nothing is read before a command needs rules, so that
// others do not pay for them.
func (a *app) policyOptions(p *config.Project, kinds ...string) (policy.Options, error) {
	o := policy.Options{
		Library: policies.FS, Shared: &shipped, Kinds: kinds, Now: a.now(),
		Disable: p.Policy.Disable, Severity: p.Policy.Severity, Parameters: p.Policy.Parameters,
		Waivers: p.Policy.Waivers, FailOn: p.Policy.FailOn,
	}
	for _, path := range p.Policy.Paths {
		s, err := a.policySource(filepath.Join(p.Dir, filepath.FromSlash(path)), path)
		if err != nil {
			return o, err
		}
		o.Sources = append(o.Sources, s)
	}
	return o, nil
}

// policySource is a directory of rules, one file of them, or a bundle.
func (a *app) policySource(path, shown string) (policy.Source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return policy.Source{}, fmt.Errorf("read policies: %w", err)
	}
	switch {
	case info.IsDir():
		return policy.Source{Name: shown, FS: os.DirFS(path)}, nil
	case strings.HasSuffix(path, ".tar.gz") || strings.HasSuffix(path, ".tgz"):
		archive, err := os.ReadFile(path)
		if err != nil {
			return policy.Source{}, fmt.Errorf("read policies: %w", err)
		}
		key, err := bundleKey()
		return policy.Source{Name: shown, Archive: archive, Key: key}, err
	case strings.HasSuffix(path, ".rego"):
		return policy.Source{Name: filepath.ToSlash(filepath.Dir(shown)), FS: oneFile{os.DirFS(filepath.Dir(path)), filepath.Base(path)}}, nil
	}
	return policy.Source{}, &hinted{fmt.Errorf("%s holds no policies", shown), "a directory, a .rego file or a bundle (.tar.gz) does"}
}

// bundleKey is the public key that bundles must be signed with, nil without one.
func bundleKey() (*policy.Key, error) {
	file := os.Getenv("GOVCTL_POLICY_KEY_FILE")
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the key of policy bundles: %w", err)
	}
	return &policy.Key{PEM: string(text), Algorithm: os.Getenv("GOVCTL_POLICY_KEY_ALGORITHM"), Scope: os.Getenv("GOVCTL_POLICY_KEY_SCOPE")}, nil
}

// oneFile is a directory in which only one file can be seen.
type oneFile struct {
	fs.FS
	name string
}

func (o oneFile) ReadDir(string) ([]fs.DirEntry, error) {
	info, err := fs.Stat(o.FS, o.name)
	if err != nil {
		return nil, err
	}
	return []fs.DirEntry{fs.FileInfoToDirEntry(info)}, nil
}
