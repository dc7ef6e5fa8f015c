package config

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	"github.com/govctl/govctl/internal/org"
)

// IgnoreFile is where a project keeps ignore rules as lines, beside its configuration.
const IgnoreFile = ".govctlignore"

// ReadIgnores reads a file of ignore rules, one a line, as .gitignore has them: empty
// lines and those that begin with # say nothing, ! begins a negation, \ before any of
// them takes it as it is. The error is Problems with all that is wrong with the lines, or
// one of input and output; a file that is not there is fs.ErrNotExist.
func ReadIgnores(path string) ([]org.IgnoreRule, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read ignore rules: %w", err)
	}
	return parseIgnores(filepath.ToSlash(path), text)
}

func parseIgnores(name string, text []byte) ([]org.IgnoreRule, error) {
	r := newReport()
	text = bytes.TrimPrefix(text, utf8BOM)
	r.keep(name, text)
	if !utf8.Valid(text) {
		r.add(Problem{Source: org.Source{File: name, Line: 1, Column: 1}, Message: "the file is not valid UTF-8"})
		return nil, r.err()
	}
	var out []org.IgnoreRule
	offset, n := 0, 0
	for line := range strings.Lines(string(text)) {
		n++
		at := hcl.Range{Filename: name, Start: hcl.Pos{Line: n, Byte: offset}}
		offset += len(line)
		rule, ok := ignoreLine(line)
		if !ok {
			continue
		}
		at.End.Byte = at.Start.Byte + len(strings.TrimRight(line, "\r\n"))
		rule.Source = r.place(at)
		if problem, advice := ignorable(rule.Pattern); problem != "" {
			r.error(at, advice, "the ignore rule %q means nothing: %s", rule.Pattern, problem)
			continue
		}
		out = append(out, rule)
	}
	return out, r.err()
}

// ignoreLine reads one line; false for one that holds no rule.
func ignoreLine(line string) (rule org.IgnoreRule, ok bool) {
	line = strings.TrimRight(line, "\r\n")
	if kept := strings.TrimRight(line, " \t"); kept != line {
		if strings.HasSuffix(kept, `\`) {
			kept = line[:len(kept)+1] // a space that is meant
		}
		line = kept
	}
	if line == "" || line[0] == '#' {
		return rule, false
	}
	if line[0] == '!' {
		rule.Negates, line = true, line[1:]
	}
	if strings.HasPrefix(line, `\#`) || strings.HasPrefix(line, `\!`) {
		line = line[1:]
	}
	rule.Pattern = line
	return rule, true
}
