package main

import (
	"os"
	"path/filepath"

	"github.com/govctl/govctl/internal/config"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/render"
)

// hostOptions adds to o what code hosts need: where the project stands in its repository,
// and which place stands for findings that concern no declaration.
func (a *app) hostOptions(o render.Options, p *config.Project, files []policyInput) render.Options {
	o.Now, o.Version = a.now(), buildInfo().Version
	o.Dir, o.Place = repositoryDir(p.Dir), findingPlace(p, files)
	return o
}

// findingPlace is the one file that is judged, or the first block of the project that says
// what it is about; zero if there is neither.
func findingPlace(p *config.Project, files []policyInput) org.Source {
	if len(files) == 1 && files[0].file != "-" {
		return org.Source{File: placed(p.Dir, files[0].file)}
	}
	for _, s := range []org.Source{p.Policy.Source, p.Service.Source, p.Ledger.Source} {
		if !s.IsZero() {
			return s
		}
	}
	return org.Source{}
}

// placed is how places name a file: from the directory of the project, as its own files.
func placed(dir, file string) string {
	if name, err := relative(dir, file); err == nil {
		file = name
	}
	return filepath.ToSlash(file)
}

// relative is a file as seen from a directory, both as seen from the working directory.
func relative(dir, file string) (string, error) {
	from, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	return filepath.Rel(from, to)
}

// repositoryDir is a directory as seen from the root of its git repository, or from the
// working directory when it is in none. It has slashes.
func repositoryDir(dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return filepath.ToSlash(dir)
	}
	for root := abs; ; root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, ".git")); err == nil {
			if rel, err := filepath.Rel(root, abs); err == nil {
				return filepath.ToSlash(rel)
			}
		}
		if root == filepath.Dir(root) {
			return filepath.ToSlash(dir)
		}
	}
}
