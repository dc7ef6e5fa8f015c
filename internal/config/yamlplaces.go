package config

import (
	"bytes"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"go.yaml.in/yaml/v3"
)

// oddBreak finds a character that YAML takes for the end of a line and nobody else
// does; positions after it would be wrong.
func (f *yamlFile) oddBreak() int {
	src := f.src
	if f.ascii && bytes.IndexByte(src, '\r') < 0 {
		return -1
	}
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '\r':
			if i+1 == len(src) || src[i+1] != '\n' {
				return i
			}
		case 0xC2:
			if i+1 < len(src) && src[i+1] == 0x85 { // NEL
				return i
			}
		case 0xE2:
			if i+2 < len(src) && src[i+1] == 0x80 && (src[i+2] == 0xA8 || src[i+2] == 0xA9) { // LS, PS
				return i
			}
		}
	}
	return -1
}

// offset is where a node begins, in bytes.
func (f *yamlFile) offset(n *yaml.Node) int {
	if n.Line < 1 || n.Line > len(f.source.lines) {
		return 0
	}
	start := f.source.lines[n.Line-1]
	if f.ascii {
		return min(start+n.Column-1, len(f.src))
	}
	column := 1
	if f.lastLine == n.Line && f.lastColumn <= n.Column {
		start, column = f.lastByte, f.lastColumn
	}
	for ; column < n.Column && start < len(f.src); column++ {
		_, size := utf8.DecodeRune(f.src[start:])
		start += size
	}
	f.lastLine, f.lastColumn, f.lastByte = n.Line, column, start
	return start
}

// at is the range of a node: all of a scalar, the beginning of anything else.
func (f *yamlFile) at(n *yaml.Node) hcl.Range {
	start := f.offset(n)
	return f.span(start, start+f.scalarLength(n, start))
}

func (f *yamlFile) scalarLength(n *yaml.Node, start int) int {
	if n.Kind != yaml.ScalarNode || start >= len(f.src) {
		return 0
	}
	rest := f.src[start:]
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		for i := 1; i < len(rest); i++ {
			switch rest[i] {
			case '\\':
				i++
			case '"':
				return i + 1
			}
		}
	case n.Style&yaml.SingleQuotedStyle != 0:
		for i := 1; i < len(rest); i++ {
			if rest[i] == '\'' {
				if i+1 == len(rest) || rest[i+1] != '\'' {
					return i + 1
				}
				i++
			}
		}
	case bytes.HasPrefix(rest, []byte(n.Value)):
		return len(n.Value)
	}
	return 0
}

func (f *yamlFile) span(start, end int) hcl.Range {
	return hcl.Range{Filename: f.name, Start: f.pos(start), End: f.pos(max(start, end))}
}

func (f *yamlFile) pos(offset int) hcl.Pos {
	offset = min(offset, len(f.src))
	line, start := f.source.line(offset, f.lastLine)
	return hcl.Pos{Line: line, Column: offset - start + 1, Byte: offset}
}
