package config

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// files reads from the project directory, never from outside of it, and remembers
// the content hash of everything it was asked for.
type files struct {
	root *os.Root
	sums map[string][]byte // by relative slash path; nil: asked for and not there
}

func openFiles(dir string) (*files, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open project: %w", err)
	}
	return &files{root: root, sums: map[string][]byte{}}, nil
}

// errOutside explains every path that would leave the project.
var errOutside = errors.New("only files inside the project can be read, by relative path that stays in it")

// names lists the configuration files directly in the directory, sorted.
func (f *files) names() ([]string, error) {
	entries, err := fs.ReadDir(f.root.FS(), ".")
	if err != nil {
		return nil, fmt.Errorf("list project: %w", err)
	}
	var list []string
	for _, e := range entries {
		name := e.Name()
		ext := path.Ext(name)
		if !e.IsDir() && !strings.HasPrefix(name, ".") && (ext == ".hcl" || isYAML(ext)) {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list, nil
}

func isYAML(ext string) bool { return ext == ".yaml" || ext == ".yml" }

// open opens a regular file; what is read from it counts for the digest.
func (f *files) open(name string) (*hashedFile, error) {
	if !fs.ValidPath(name) {
		return nil, fmt.Errorf("%s: %w", name, errOutside)
	}
	info, err := f.root.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		f.sums[name] = nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, plainPathError(err))
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file", name)
	}
	file, err := f.root.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, plainPathError(err))
	}
	return &hashedFile{files: f, name: name, file: file, sum: sha256.New(), size: info.Size()}, nil
}

// plainPathError drops the system call and repeated path of an I/O error.
func plainPathError(err error) error {
	var p *fs.PathError
	if !errors.As(err, &p) {
		return err
	}
	if strings.Contains(p.Err.Error(), "escapes") {
		return errOutside
	}
	return p.Err
}

// read returns the whole content of a file.
func (f *files) read(name string) ([]byte, error) {
	h, err := f.open(name)
	if err != nil {
		return nil, err
	}
	b := bytes.NewBuffer(make([]byte, 0, h.size+bytes.MinRead))
	_, err = b.ReadFrom(h)
	if err := errors.Join(err, h.Close()); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, plainPathError(err))
	}
	return b.Bytes(), nil
}

// digest is "sha256:…" over the files in order of their paths and the extra lines.
func (f *files) digest(extra ...string) string {
	sum := sha256.New()
	paths := make([]string, 0, len(f.sums))
	for name := range f.sums {
		paths = append(paths, name)
	}
	slices.Sort(paths)
	for _, name := range paths {
		fmt.Fprintf(sum, "file %q %x\n", name, f.sums[name])
	}
	for _, line := range extra {
		fmt.Fprintf(sum, "%s\n", line)
	}
	return fmt.Sprintf("sha256:%x", sum.Sum(nil))
}

// hashedFile hashes what is read from it and records the sum when it is closed.
type hashedFile struct {
	files *files
	name  string
	file  *os.File
	sum   hash.Hash
	size  int64
}

func (h *hashedFile) Read(p []byte) (int, error) {
	n, err := h.file.Read(p)
	h.sum.Write(p[:n])
	return n, err
}

// Close reads the rest, so that the sum is that of the whole file.
func (h *hashedFile) Close() error {
	_, err := io.Copy(io.Discard, h)
	h.files.sums[h.name] = h.sum.Sum(nil)
	return errors.Join(err, h.file.Close())
}
