package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/govctl/govctl/internal/config"
	"github.com/govctl/govctl/internal/drift"
)

// affected keeps the projects that read a file which differs between a commit and the
// working tree.
func (a *app) affected(ctx context.Context, root, ref string, w work, list []subproject) ([]subproject, error) {
	changed, err := changedFiles(ctx, root, ref)
	if err != nil {
		return nil, err
	}
	var out []subproject
	for _, m := range list {
		yes, err := a.isAffected(m, w, changed)
		if err != nil {
			return nil, err
		}
		if yes {
			out = append(out, m)
		}
	}
	return out, nil
}

// isAffected reports whether m reads one of the changed files. A project that does not
// load, and one that a file was taken from, counts as affected: what it would have read is
// not known.
func (a *app) isAffected(m subproject, w work, changed []string) (bool, error) {
	for _, f := range m.expandAll(w.reads) {
		if path, err := realPath(f); err == nil && f != "" && slices.ContainsFunc(changed, func(c string) bool { return within(c, path, string(filepath.Separator)) }) {
			return true, nil
		}
	}
	dir, err := realPath(m.dir)
	if err != nil {
		return false, err
	}
	var inside []string
	for _, c := range changed {
		if rel, err := filepath.Rel(dir, c); err == nil && filepath.IsLocal(rel) {
			inside = append(inside, filepath.ToSlash(rel))
		}
	}
	if len(inside) == 0 {
		return false, nil
	}
	vars, err := w.variables(m)
	if err != nil {
		return true, nil // the work itself says what is wrong
	}
	p, err := config.Load(m.dir, config.Options{Vars: vars, Env: environmentVariables(os.Environ()), Now: a.now()})
	if err != nil {
		return true, nil
	}
	reads := append(slices.Clone(p.Reads), ".govctl", drift.BaselineFile, config.IgnoreFile)
	for _, r := range p.Reads { // what a link inside of the project leads to
		if real, err := realPath(filepath.Join(m.dir, filepath.FromSlash(r))); err == nil {
			if rel, err := filepath.Rel(dir, real); err == nil {
				reads = append(reads, filepath.ToSlash(rel))
			}
		}
	}
	return slices.ContainsFunc(inside, func(c string) bool {
		if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(c))); errors.Is(err, os.ErrNotExist) {
			return true
		}
		return slices.ContainsFunc(reads, func(r string) bool { return within(c, r, "/") })
	}), nil
}

// within reports whether a path is another, or below it.
func within(path, other, separator string) bool {
	return path == other || strings.HasPrefix(path, other+separator)
}

// realPath is the absolute path without links.
func realPath(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// changedFiles lists the files, by absolute path, that differ between the working tree
// and the commit where it left ref; files that git does not know yet among them.
func changedFiles(ctx context.Context, dir, ref string) ([]string, error) {
	top, err := git(ctx, dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	root := strings.TrimSuffix(string(top), "\n")
	commit, err := git(ctx, root, "rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}")
	if err != nil {
		return nil, &hinted{fmt.Errorf("--changed-since %s names no commit here: %w", ref, err), "fetch it first; in CI a checkout often has only the newest commit (fetch-depth: 0)"}
	}
	base, err := git(ctx, root, "merge-base", strings.TrimSpace(string(commit)), "HEAD")
	if err != nil {
		return nil, &hinted{fmt.Errorf("--changed-since %s has no history in common with HEAD: %w", ref, err), "fetch more of it; in CI a checkout often has only the newest commit (fetch-depth: 0)"}
	}
	differ, err := git(ctx, root, "diff", "--name-only", "--no-renames", "--no-ext-diff", "-z", strings.TrimSpace(string(base)), "--")
	if err != nil {
		return nil, err
	}
	fresh, err := git(ctx, root, "ls-files", "--others", "--exclude-standard", "-z")
	if err != nil {
		return nil, err
	}
	var out []string
	for name := range bytes.SplitSeq(append(differ, fresh...), []byte{0}) {
		if len(name) > 0 {
			out = append(out, filepath.Join(root, filepath.FromSlash(string(name))))
		}
	}
	return out, nil
}

// git runs git in a directory and returns what it prints.
func git(ctx context.Context, dir string, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...)
	var said bytes.Buffer
	c.Stderr = &said
	out, err := c.Output()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return nil, &hinted{errors.New("--changed-since needs git, which is not installed"), "without it, leave the flag out: every project is looked at"}
	case err != nil:
		return nil, fmt.Errorf("git %s: %w", args[0], errors.Join(err, errors.New(strings.Join(strings.Fields(said.String()), " "))))
	}
	return out, nil
}
