package config

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	"github.com/govctl/govctl/internal/org"
)

// report collects problems and knows the text of the files they are in.
type report struct {
	sources  map[string]*source
	reread   func(file string) ([]byte, error) // text of a file that was streamed and not kept; may be nil
	problems Problems
	secret   map[int]bool // problems whose line must not be quoted
}

// source is the text of one file with the offsets at which its lines begin.
type source struct {
	text  []byte
	lines []int
}

func newReport() *report {
	return &report{sources: map[string]*source{}, secret: map[int]bool{}}
}

func (r *report) keep(file string, text []byte) *source {
	s := &source{text: text, lines: []int{0}}
	for at := 0; ; {
		i := bytes.IndexByte(text[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
		s.lines = append(s.lines, at)
	}
	r.sources[file] = s
	return s
}

// line returns the number (from 1) of the line holding offset, and where it begins.
// guess is usually right.
func (s *source) line(offset, guess int) (number, start int) {
	if guess >= 1 && guess <= len(s.lines) && s.lines[guess-1] <= offset && (guess == len(s.lines) || offset < s.lines[guess]) {
		return guess, s.lines[guess-1]
	}
	i, found := slices.BinarySearch(s.lines, offset)
	if !found {
		i--
	}
	return i + 1, s.lines[i]
}

// place turns the start of a range into a Source: columns of HCL count grapheme
// clusters and those of YAML characters, ours count bytes.
func (r *report) place(at hcl.Range) org.Source {
	s := r.sources[at.Filename]
	if s == nil || at.Start.Byte > len(s.text) {
		return org.Source{File: at.Filename, Line: at.Start.Line, Column: at.Start.Column}
	}
	number, start := s.line(at.Start.Byte, at.Start.Line)
	return org.Source{File: at.Filename, Line: number, Column: at.Start.Byte - start + 1}
}

// endColumn is where at ends on its first line.
func (r *report) endColumn(at hcl.Range) int {
	s := r.sources[at.Filename]
	if s == nil || at.End.Byte < at.Start.Byte || at.End.Byte > len(s.text) {
		return 0
	}
	_, start := s.line(at.Start.Byte, at.Start.Line)
	end := at.End.Byte
	if i := bytes.IndexByte(s.text[at.Start.Byte:end], '\n'); i >= 0 {
		end = at.Start.Byte + i
	}
	return end - start + 1
}

// text is the source text of a range, nil if the file was not kept.
func (r *report) text(at hcl.Range) []byte {
	s := r.sources[at.Filename]
	if s == nil || at.Start.Byte > at.End.Byte || at.End.Byte > len(s.text) {
		return nil
	}
	return s.text[at.Start.Byte:at.End.Byte]
}

func (r *report) error(at hcl.Range, hint, format string, args ...any) {
	r.add(Problem{Source: r.place(at), EndColumn: r.endColumn(at), Hint: hint, Message: fmt.Sprintf(format, args...)})
}

// twice reports something at one place that clashes with another place.
func (r *report) twice(at, first hcl.Range, hint, format string, args ...any) {
	also := r.place(first)
	r.add(Problem{Source: r.place(at), EndColumn: r.endColumn(at), Also: &also, Hint: hint, Message: fmt.Sprintf(format, args...)})
}

// leak reports a secret without quoting the line it stands in.
func (r *report) leak(at hcl.Range, hint, format string, args ...any) {
	r.secret[len(r.problems)] = true
	r.error(at, hint, format, args...)
}

func (r *report) warn(at hcl.Range, hint, format string, args ...any) {
	r.add(Problem{Source: r.place(at), EndColumn: r.endColumn(at), Severity: SeverityWarning, Hint: hint, Message: fmt.Sprintf(format, args...)})
}

func (r *report) add(p Problem) {
	if p.Severity == "" {
		p.Severity = SeverityError
	}
	r.problems = append(r.problems, p)
}

// all returns the problems sorted, each with its snippet. It is called once.
func (r *report) all() Problems {
	var line struct { // the last one looked at: a whole project may stand in one
		file     string
		number   int
		text     []byte
		quotable bool
	}
	for i := range r.problems {
		p := &r.problems[i]
		if r.secret[i] || p.Source.IsZero() || p.Snippet != "" {
			continue
		}
		if line.file != p.Source.File || line.number != p.Source.Line {
			line.file, line.number, line.text = p.Source.File, p.Source.Line, r.lineText(p.Source)
			line.quotable = utf8.Valid(line.text) && !secretText.Match(line.text)
		}
		if line.quotable {
			p.quote(line.text)
		}
	}
	r.problems.sort()
	return r.problems
}

// err returns the problems as an error, or nil when there are only warnings.
func (r *report) err() error {
	if ps := r.all(); ps.hasErrors() {
		return ps
	}
	return nil
}

func (r *report) lineText(at org.Source) []byte {
	s := r.sources[at.File]
	if s == nil && r.reread != nil {
		text, err := r.reread(at.File)
		if err != nil {
			return nil
		}
		s = r.keep(at.File, bytes.TrimPrefix(text, utf8BOM))
	}
	if s == nil || at.Line < 1 || at.Line > len(s.lines) {
		return nil
	}
	line := s.text[s.lines[at.Line-1]:]
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	return bytes.TrimSuffix(line, []byte("\r"))
}

// maxSnippet is how many bytes of a line are quoted: a whole project may stand in one.
const maxSnippet = 160

// secretText finds an assignment to a name that may hold a secret.
var secretText = regexp.MustCompile(`(?i)(api[_-]?key|secret|token|passw|credential|authorization|private[_-]?key)[^:=]{0,40}[:=]|://[^/\s"']*:[^/\s"']*@`)

// quote sets the snippet of p from its line, which is valid UTF-8 and holds no secret.
func (p *Problem) quote(line []byte) {
	at := p.Source.Column - 1
	if len(line) == 0 || at < 0 || at > len(line) {
		return
	}
	from, to := 0, len(line)
	if len(line) > maxSnippet {
		from = max(0, at-maxSnippet/2)
		to = min(len(line), from+maxSnippet)
		for from > 0 && !utf8.RuneStart(line[from]) {
			from--
		}
		for to < len(line) && !utf8.RuneStart(line[to]) {
			to++
		}
	}
	p.Snippet = strings.Map(printable, string(line[from:to]))
	p.caret = min(at-from, len(p.Snippet))
	for p.caret > 0 && p.caret < len(p.Snippet) && !utf8.RuneStart(p.Snippet[p.caret]) {
		p.caret--
	}
}

// printable keeps control characters of a file from reaching a terminal. It keeps
// the width of what it replaces, so that carets stay right.
func printable(r rune) rune {
	if r != '\t' && (r < ' ' || r == 0x7f) {
		return '?'
	}
	return r
}
