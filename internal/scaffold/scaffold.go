// Package scaffold writes configuration from a value: a starter project, or the files
// that declare an organization as it is.
//
// It is pure: what goes in are nouns of org, what comes out are file names and bytes.
// HCL is written through hclwrite and CSV through encoding/csv, never by joining text, so
// that a name from the service cannot become syntax. What configuration cannot say (a
// secret, a name that HCL would change) is left out and named, in the result and in a
// comment where it would stand.
package scaffold

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
)

// File is one file to be written.
type File struct {
	Path    string // slash-separated, relative to the project directory
	Content []byte
}

// Omission is something that exists and is not declared.
type Omission struct {
	Kind string `json:"kind"` // computer | setting | limit | repository
	Key  string `json:"key"`  // which one, as the service spells it
	Why  string `json:"why"`  // words of this package
}

// maxListed is how many things of a kind a comment names.
const maxListed = 20

// page is one HCL file being written.
type page struct {
	file *hclwrite.File
	body *hclwrite.Body
}

func newPage() *page {
	f := hclwrite.NewFile()
	return &page{file: f, body: f.Body()}
}

// within is the same page inside of a block.
func (p *page) within(b *hclwrite.Body) *page { return &page{file: p.file, body: b} }

// comment adds lines of comment. Whatever foreign words a line holds must be quoted.
func (p *page) comment(format string, args ...any) {
	for line := range strings.SplitSeq(fmt.Sprintf(format, args...), "\n") {
		p.body.AppendUnstructuredTokens(hclwrite.Tokens{{Type: hclsyntax.TokenComment, Bytes: []byte(strings.TrimRight("# "+line, " ") + "\n")}})
	}
}

// space adds an empty line.
func (p *page) space() { p.body.AppendNewline() }

// omissions names what is not declared here.
func (p *page) omissions(list []Omission) {
	for i, o := range list {
		if i == maxListed {
			p.comment("… and %d more", len(list)-i)
			return
		}
		p.comment("not declared: %s %s", quote(o.Key), o.Why)
	}
}

// text sets an attribute to a text, unless it is empty.
func (p *page) text(name, value string) {
	if value != "" {
		p.body.SetAttributeValue(name, cty.StringVal(value))
	}
}

// raw sets an attribute to an expression.
func (p *page) raw(name string, t hclwrite.Tokens) { p.body.SetAttributeRaw(name, t) }

// bytes is the page in the canonical layout.
func (p *page) bytes() []byte {
	out := p.file.Bytes()
	for range 4 { // where a comment follows a brace, one pass is not enough
		next := hclwrite.Format(out)
		if bytes.Equal(next, out) {
			break
		}
		out = next
	}
	return out
}

// quote makes a foreign word harmless in a comment: no line end, no invisible character.
func quote(s string) string {
	const most = 120
	if r := []rune(s); len(r) > most {
		return strconv.Quote(string(r[:most])) + "…"
	}
	return strconv.Quote(s)
}
