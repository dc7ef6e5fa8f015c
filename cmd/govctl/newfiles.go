package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/govctl/govctl/internal/render"
	"github.com/govctl/govctl/internal/scaffold"
)

// newFiles puts generated files into a directory, all of them or none.
type newFiles struct {
	dir     string
	files   []scaffold.File
	replace bool                   // files that exist are replaced instead of refused
	check   func(dir string) error // of the files alone, before they are put in place
	after   func() error           // of the directory with them in it; nil: nothing to check
}

// place writes the files beside their places, checks them, and moves them there.
func (n newFiles) place() (err error) {
	if err := n.refuseExisting(); err != nil {
		return err
	}
	_, statErr := os.Stat(n.dir)
	if err := os.MkdirAll(n.dir, 0o777); err != nil {
		return fmt.Errorf("make the project: %w", err)
	}
	defer func() {
		if err != nil && errors.Is(statErr, fs.ErrNotExist) {
			_ = os.Remove(n.dir) // if it is empty
		}
	}()
	stage, err := os.MkdirTemp(n.dir, ".govctl-new-")
	if err != nil {
		return fmt.Errorf("make the project: %w", err)
	}
	defer func() { _ = os.RemoveAll(stage) }() // what is left in it is of no use
	for _, f := range n.files {
		if err := writeBelow(stage, f); err != nil {
			return err
		}
	}
	if err := n.check(stage); err != nil {
		return err
	}
	return n.move(stage)
}

// refuseExisting names every file that is there already.
func (n newFiles) refuseExisting() error {
	if n.replace {
		return nil
	}
	var there []string
	for _, f := range n.files {
		if _, err := os.Lstat(n.path(f)); err == nil {
			there = append(there, n.path(f))
		}
	}
	if len(there) > 0 {
		return fmt.Errorf("%s exists; nothing was written", strings.Join(there, ", "))
	}
	return nil
}

func (n newFiles) path(f scaffold.File) string {
	return filepath.Join(n.dir, filepath.FromSlash(f.Path))
}

// move takes the files from stage to their places. What was put there is taken away
// again when something is wrong.
func (n newFiles) move(stage string) (err error) {
	var placed []string
	defer func() {
		if err != nil && !n.replace {
			for _, p := range placed {
				_ = os.Remove(p)
			}
		}
	}()
	for _, f := range n.files {
		to := n.path(f)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return fmt.Errorf("write %s: %w", f.Path, err)
		}
		if err := os.Rename(filepath.Join(stage, filepath.FromSlash(f.Path)), to); err != nil {
			return fmt.Errorf("write %s: %w", f.Path, err)
		}
		placed = append(placed, to)
	}
	if n.after != nil {
		return n.after()
	}
	return nil
}

func writeBelow(dir string, f scaffold.File) error {
	name := filepath.Join(dir, filepath.FromSlash(f.Path))
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return fmt.Errorf("write %s: %w", f.Path, err)
	}
	if err := os.WriteFile(name, f.Content, 0o666); err != nil {
		return fmt.Errorf("write %s: %w", f.Path, err)
	}
	return nil
}

// withIgnore adds a .gitignore unless the project has one, which is the user's.
func (a *app) withIgnore(dir string, files []scaffold.File, keepLedger bool) []scaffold.File {
	if _, err := os.Lstat(filepath.Join(dir, ".gitignore")); err == nil {
		fmt.Fprintln(a.err, "note: .gitignore is left as it is; .govctl/ should be in it, all but the ledger if that is to be committed")
		return files
	}
	return append([]scaffold.File{{Path: ".gitignore", Content: scaffold.Ignore(keepLedger)}}, files...)
}

// sayWritten lists what was written.
func sayWritten(w io.Writer, dir string, files []scaffold.File) {
	fmt.Fprintf(w, "Wrote in %s:\n", render.Clean(dir))
	for _, f := range files {
		fmt.Fprintf(w, "  %s\n", f.Path)
	}
}

// filePaths are the paths of files, as they are in the project.
func filePaths(files []scaffold.File) []string {
	out := make([]string, len(files))
	for i, f := range files {
		out[i] = f.Path
	}
	return out
}
