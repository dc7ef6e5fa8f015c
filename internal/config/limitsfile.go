package config

import (
	"fmt"
	"path/filepath"

	"github.com/govctl/govctl/internal/org"
)

// ReadLimits reads a CSV file as users_from does, with the same strictness, outside of
// any project: what somebody says the limits are. They are sorted by address, and 0 is
// allowed. The error is Problems when the file is wrong.
func ReadLimits(path string) ([]org.Limit, error) {
	dir, name := filepath.Split(path)
	f, err := openFiles(filepath.Clean(dir))
	if err != nil {
		return nil, err
	}
	defer f.root.Close()
	file, err := f.open(name)
	if err != nil {
		return nil, fmt.Errorf("read limits: %w", err)
	}
	r := newReport()
	r.reread = f.read
	d := limitsDecoder{loader: &loader{decoder: &decoder{report: r}, files: f}, out: &Limits{AllowZero: true}}
	d.csv(name, file, file.size)
	if err := file.Close(); err != nil {
		return nil, fmt.Errorf("read limits: %w", err)
	}
	d.index()
	if problems := r.all(); problems.hasErrors() {
		return nil, problems
	}
	return d.out.users, nil
}
