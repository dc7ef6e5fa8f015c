package config

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/govctl/govctl/internal/org"
)

var utf8BOM = []byte("\xef\xbb\xbf")

// parseHCL parses one file. Of a file with mistakes it returns what could be read.
func parseHCL(r *report, name string, src []byte) *hcl.File {
	file, diags := hclsyntax.ParseConfig(src, name, hcl.InitialPos)
	r.diagnostics(diags)
	return file
}

// hint rides in hcl.Diagnostic.Extra to become Problem.Hint.
type hint string

// diagnostics reports what HCL says, in our form.
func (r *report) diagnostics(diags hcl.Diagnostics) {
	for _, d := range diags {
		r.diagnostic(d, "")
	}
}

func (r *report) diagnostic(d *hcl.Diagnostic, advice string) {
	p := Problem{Message: d.Summary, Hint: advice}
	if h, ok := d.Extra.(hint); ok {
		p.Hint = string(h)
	}
	if d.Severity == hcl.DiagWarning {
		p.Severity = SeverityWarning
	}
	detail := strings.Join(strings.Fields(d.Detail), " ")
	if rest, suggestion, ok := strings.Cut(detail, " Did you mean "); ok && p.Hint == "" {
		detail, p.Hint = rest, "did you mean "+suggestion
	}
	if m := definedBefore.FindStringSubmatch(detail); m != nil {
		line, _ := strconv.Atoi(m[3])
		column, _ := strconv.Atoi(m[4])
		p.Also = &org.Source{File: m[2], Line: line, Column: column}
		detail = m[1] + " is declared twice"
	}
	if detail = strings.TrimSuffix(detail, "."); detail != "" {
		p.Message += ": " + detail
	}
	p.Message = lowerFirst(p.Message)
	if d.Subject != nil {
		p.Source, p.EndColumn = r.place(*d.Subject), r.endColumn(*d.Subject)
	}
	r.add(p)
}

// definedBefore recognises the parser's words for an attribute written twice in one
// body, to make the first place a field.
var definedBefore = regexp.MustCompile(`^(?:The )?(argument "[^"]*") was already set at (.+):(\d+),(\d+)-`)

// lowerFirst makes a sentence the tail of "file:line:column: ".
func lowerFirst(s string) string {
	first, n := utf8.DecodeRuneInString(s)
	second, _ := utf8.DecodeRuneInString(s[n:])
	if unicode.IsUpper(second) {
		return s // an abbreviation
	}
	return string(unicode.ToLower(first)) + s[n:]
}
