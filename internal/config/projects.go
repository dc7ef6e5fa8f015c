package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclparse"
	"go.yaml.in/yaml/v3"
)

// vendored are directories that hold what others wrote.
var vendored = map[string]bool{"vendor": true, "node_modules": true}

// Projects lists the directories in and below root whose files have a service block:
// slash-separated, relative to root, sorted; "." is root itself. Hidden and vendored
// directories are not looked into, links are not followed. A project that is broken
// counts, as long as the service block can be recognized.
func Projects(root string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.IsDir() {
			return nil
		}
		if name != root && (strings.HasPrefix(d.Name(), ".") || vendored[d.Name()]) {
			return fs.SkipDir
		}
		is, err := isProject(name)
		if err != nil || !is {
			return err
		}
		rel, err := filepath.Rel(root, name)
		out = append(out, filepath.ToSlash(rel))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look for projects: %w", err)
	}
	slices.Sort(out)
	return out, nil
}

// isProject reports whether a file directly in dir has a service block.
func isProject(dir string) (bool, error) {
	list, err := Names(dir)
	if err != nil {
		return false, err
	}
	for _, name := range list {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return false, err
		}
		if namesService(name, bytes.TrimPrefix(text, utf8BOM)) {
			return true, nil
		}
	}
	return false, nil
}

// Names lists the configuration files directly in dir, sorted; none if there is no such
// directory.
func Names(dir string) ([]string, error) {
	f, err := openFiles(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.root.Close()
	return f.names()
}

// serviceLine is how the block begins in either syntax, for files that do not parse.
var serviceLine = regexp.MustCompile(`(?m)^\s*"?service"?\s*[{:]`)

func namesService(name string, text []byte) bool {
	if !bytes.Contains(text, []byte("service")) {
		return false
	}
	if isYAML(path.Ext(name)) {
		var top map[string]yaml.Node
		if err := yaml.Unmarshal(text, &top); err != nil {
			return serviceLine.Match(text)
		}
		_, has := top["service"]
		return has
	}
	file, diags := hclparse.NewParser().ParseHCL(text, name)
	if file != nil {
		content, _, _ := file.Body.PartialContent(&hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{{Type: "service"}}})
		if len(content.Blocks) > 0 {
			return true
		}
	}
	return diags.HasErrors() && serviceLine.Match(text)
}

// reads lists what Load looked at in the project, sorted.
func (l *loader) reads() []string {
	all := map[string]bool{}
	for name := range l.files.sums {
		all[name] = true
	}
	for _, root := range l.project.Policy.Paths {
		all[path.Clean(root)] = true
	}
	return slices.Sorted(maps.Keys(all))
}
