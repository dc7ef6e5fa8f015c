package config

import (
	"errors"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/govctl/govctl/internal/org"
)

// YAMLData is generic data of a YAML file, whose values have places. It may be used by several
// goroutines at once.
type YAMLData struct {
	Value any // as org.DecodeJSON gives it, numbers as their digits stand in the file; nil for an empty file

	mu     sync.Mutex // the file remembers the last position
	file   *yamlFile
	report *report
}

// ReadYAML reads data with the strictness of configuration: what two readers of YAML may
// understand differently is an error, as is a name that stands twice. name is only for places.
// The error has all problems, a line each, and quotes nothing: data may hold secrets.
func ReadYAML(name string, data []byte) (*YAMLData, error) {
	d := &YAMLData{report: newReport()}
	d.file = parseYAML(d.report, name, data)
	if d.file != nil && d.file.root != nil {
		v, diags := (&yamlExpr{file: d.file, node: d.file.root}).json()
		d.report.diagnostics(diags)
		d.Value = v
	}
	problems := d.report.all()
	for i := range problems {
		problems[i].Snippet = ""
	}
	if problems.hasErrors() {
		return nil, errors.New(problems.Error()) // not Problems: they are not in the configuration
	}
	return d, nil
}

// Places tells where the values at some JSON pointers stand, or the nearest ones around them,
// in the order of the pointers.
func (d *YAMLData) Places(pointers []string) []org.Source {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := make([]org.Source, len(pointers))
	for i, p := range pointers {
		out[i] = org.Source{File: d.file.name, Line: 1, Column: 1}
		if d.file.root != nil {
			out[i] = d.report.place(d.file.at(nodeAt(d.file.root, p)))
		}
	}
	return out
}

// nodeAt is the node at a JSON pointer below n, or the nearest one around it.
func nodeAt(n *yaml.Node, pointer string) *yaml.Node {
	for pointer != "" {
		token, rest, more := strings.Cut(pointer[1:], "/")
		child := childOf(n, org.Unescape(token))
		if child == nil {
			return n
		}
		if n, pointer = child, ""; more {
			pointer = "/" + rest
		}
	}
	return n
}

func childOf(n *yaml.Node, name string) *yaml.Node {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == name {
				return n.Content[i+1]
			}
		}
	case yaml.SequenceNode:
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(n.Content) {
			return n.Content[i]
		}
	}
	return nil
}
