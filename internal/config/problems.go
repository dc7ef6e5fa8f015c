package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/govctl/govctl/internal/org"
)

// Severities of a Problem.
const (
	SeverityError   = "error"
	SeverityWarning = "warning"
)

// Problem is one mistake in the user's files.
type Problem struct {
	Source    org.Source  // zero when the problem belongs to no file
	EndColumn int         // where the marked text ends on Source.Line, exclusive, in bytes; 0 if unknown
	Severity  string      // error | warning
	Message   string      // one line, no markup
	Hint      string      // what to do, "" if there is nothing to add
	Snippet   string      // the source line, cut around Source.Column when long; "" when it may hold a secret
	Also      *org.Source // the other place of a duplicate or conflict, nil if none

	caret int // byte offset of the marked text in Snippet
}

// Problems is a non-empty list of problems, sorted by place. It is the error of Load,
// Resolve and Format when the user's files are wrong.
type Problems []Problem

// Error lists every problem in plain text, for people.
func (ps Problems) Error() string {
	var b strings.Builder
	for i, p := range ps {
		if i > 0 {
			b.WriteByte('\n')
		}
		p.write(&b)
	}
	return b.String()
}

func (p Problem) write(b *strings.Builder) {
	if !p.Source.IsZero() {
		fmt.Fprintf(b, "%s: ", p.Source)
	}
	if p.Severity == SeverityWarning {
		b.WriteString("warning: ")
	}
	b.WriteString(p.Message)
	if p.Snippet != "" {
		fmt.Fprintf(b, "\n  | %s\n  | %s%s", p.Snippet, blank(p.Snippet[:p.caret]), strings.Repeat("^", p.width()))
	}
	if p.Also != nil {
		fmt.Fprintf(b, "\n  also at %s", p.Also)
	}
	if p.Hint != "" {
		fmt.Fprintf(b, "\n  hint: %s", p.Hint)
	}
}

// width is the number of carets: one per character of the marked text.
func (p Problem) width() int {
	end := min(p.caret+max(p.EndColumn-p.Source.Column, 0), len(p.Snippet))
	return max(1, len([]rune(p.Snippet[p.caret:end])))
}

// blank keeps the tabs of s, so that a caret below it stands where s ends.
func blank(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, s)
}

func (ps Problems) sort() {
	slices.SortStableFunc(ps, func(a, b Problem) int {
		return cmp.Or(
			compareSources(a.Source, b.Source),
			cmp.Compare(a.Message, b.Message),
		)
	})
}

func (ps Problems) hasErrors() bool {
	return slices.ContainsFunc(ps, func(p Problem) bool { return p.Severity == SeverityError })
}

func compareSources(a, b org.Source) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}
