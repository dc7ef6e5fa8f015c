package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// maxYAMLNodes bounds what aliases may expand a file to, beyond its own nodes.
const maxYAMLNodes = 200_000

// yamlFile is one parsed YAML file. Its nodes have no aliases left: they are shared
// instead, and known to be finite.
type yamlFile struct {
	name   string
	src    []byte
	source *source // lines of src
	ascii  bool
	root   *yaml.Node // nil when the file is empty

	// The last position turned into bytes: nodes are mostly asked for in order, and a
	// whole project may stand in one line.
	lastLine, lastColumn, lastByte int
}

// parseYAML parses one file, or reports why it cannot be read.
func parseYAML(r *report, name string, src []byte) *yamlFile {
	f := &yamlFile{name: name, src: src, source: r.keep(name, src), ascii: isASCII(src)}
	if i := f.oddBreak(); i >= 0 {
		r.error(f.span(i, i+1), "end lines with a line feed (or carriage return and line feed)",
			"this character ends a line in YAML but not in an editor")
		return nil
	}
	d := yaml.NewDecoder(bytes.NewReader(src))
	var doc, second yaml.Node
	if err := d.Decode(&doc); err != nil {
		if !errors.Is(err, io.EOF) {
			f.syntaxError(r, err)
			return nil
		}
		return f
	}
	switch err := d.Decode(&second); {
	case err == nil:
		r.error(f.at(&second), "put each document into a file of its own", "several YAML documents in one file")
		return nil
	case !errors.Is(err, io.EOF):
		f.syntaxError(r, err)
		return nil
	}
	if len(doc.Content) == 1 {
		f.root = doc.Content[0]
		c := yamlCheck{report: r, file: f, sizes: map[*yaml.Node]int{}}
		if size := c.prepare(&f.root); c.bad {
			return nil
		} else if size > maxYAMLNodes+2*len(src) {
			r.error(f.at(f.root), "write the repeated parts out, or use HCL with locals",
				"aliases expand this file to %d values", size)
			return nil
		}
	}
	return f
}

// yamlCheck makes a tree safe to walk.
type yamlCheck struct {
	report *report
	file   *yamlFile
	sizes  map[*yaml.Node]int // of anchored nodes; -1 while being measured
	bad    bool
}

// prepare replaces the aliases below *p by what they mean and returns the expanded
// number of nodes.
func (c *yamlCheck) prepare(p **yaml.Node) int {
	n := *p
	if n.Kind == yaml.AliasNode {
		if n.Alias == nil || c.sizes[n.Alias] == -1 {
			c.fail(n, "an anchor cannot contain itself", "the alias *%s stands inside its own anchor", n.Value)
			return 1
		}
		n = n.Alias
		*p = n
	}
	if n.Anchor != "" {
		if size, known := c.sizes[n]; known {
			return size
		}
		c.sizes[n] = -1
	}
	size := 1
	for i := range n.Content {
		size = min(size+c.prepare(&n.Content[i]), 1<<40)
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			c.key(n.Content[i])
		}
	}
	if n.Kind == yaml.ScalarNode && n.Style == 0 && n.Tag == "!!str" && hugeNumber(n.Value) {
		n.Tag = "!!float"
	}
	if n.Style&yaml.TaggedStyle != 0 {
		c.fail(n, "quote the value if it is text", "YAML tags such as %s are not understood here", n.Tag)
	}
	if n.Anchor != "" {
		c.sizes[n] = size
	}
	return size
}

// hugeNumber recognises a number that the parser calls text because no float64 holds it.
func hugeNumber(text string) bool {
	return len(text) > 3 && (text[0] == '-' || '0' <= text[0] && text[0] <= '9') && strings.ContainsAny(text, "eE") && decimal.MatchString(text)
}

func (c *yamlCheck) key(n *yaml.Node) {
	switch {
	case n.Kind != yaml.ScalarNode:
		c.fail(n, "write one word before the colon", "a name must be text")
	case n.Tag == "!!merge":
		c.fail(n, "write the keys out, or give a whole value an alias", "merge keys (<<) are not supported")
	}
}

func (c *yamlCheck) fail(n *yaml.Node, hint, format string, args ...any) {
	c.bad = true
	c.report.error(c.file.at(n), hint, format, args...)
}

var (
	yamlErrorLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)
	yamlTab       = regexp.MustCompile(`(?m)^[ ]*\t`)
)

// syntaxError reports the parser's error, which names a line at best.
func (f *yamlFile) syntaxError(r *report, err error) {
	m := yamlErrorLine.FindStringSubmatch(strings.ReplaceAll(err.Error(), "\n", " "))
	message, line := err.Error(), 1
	if m != nil {
		message = m[2]
		if n, err := strconv.Atoi(m[1]); err == nil {
			line = n
		}
	}
	hint := ""
	line = min(max(line, 1), len(f.source.lines))
	start := f.source.lines[line-1]
	if strings.Contains(message, "cannot start any token") {
		// The parser names the line before the tab or the line of the tab.
		if at := yamlTab.FindIndex(f.src[start:]); at != nil {
			hint = "YAML is indented with spaces; this line begins with a tab"
			start += at[1] - 1
		}
	}
	for start < len(f.src) && f.src[start] == ' ' {
		start++
	}
	r.error(f.span(start, start), hint, "%s", lowerFirst("not YAML: "+message))
}

func isASCII[T string | []byte](s T) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// yamlNumber reads the text of a number scalar as decimal digits, or says what is
// wrong with it: YAML would read 010 as 8 and 0x10 as 16 (m12).
func yamlNumber(text string) (string, error) {
	digits := strings.ReplaceAll(text, "_", "")
	if !decimal.MatchString(digits) {
		if leadingZero.MatchString(digits) {
			return "", errors.New("a number with a leading zero means different things to different readers")
		}
		return "", fmt.Errorf("%s is not a decimal number", text)
	}
	return digits, nil
}

var (
	decimal     = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]{1,4})?$`)
	leadingZero = regexp.MustCompile(`^[-+]?0[0-9]`)
)
