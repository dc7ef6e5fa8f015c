// Package render writes results as text, JSON or Markdown, and findings also in the forms
// that code hosts and CI systems read.
//
// It decides nothing: every output is a replay of a value that could also be written
// as JSON. Whatever came from the network or from files is neutralised here, at the
// last moment, because what is harmless differs between a terminal, a CI log and
// Markdown.
package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/fatih/color"

	"github.com/govctl/govctl/internal/org"
)

// Formats of an output.
const (
	Text     = "text"
	JSON     = "json"
	Markdown = "markdown"
	SARIF    = "sarif"  // for code scanning
	JUnit    = "junit"  // for whatever shows tests
	GitHub   = "github" // workflow commands that annotate
	GitLab   = "gitlab" // Code Quality
	HTML     = "html"   // one page that needs nothing else

	GitLabTerraform = "gitlab-terraform" // what a merge request shows of a plan

	Prometheus = "prometheus" // for the textfile collector of a node exporter
)

// Options are what an output may depend on besides its value.
type Options struct {
	Color bool // ANSI colours; cmd decides (NO_COLOR, CLICOLOR_FORCE, terminal)

	// For Markdown:
	Budget int    // bytes a result may take, at least MinMarkdownBudget; 0 is MarkdownBudget
	Head   string // the commit it is about; "" is not said

	// For the formats that code hosts read:
	Dir     string     // the project as seen from the root of its repository, with slashes; "" is the root
	Place   org.Source // where findings point to that concern no declaration; zero is govctl.hcl
	Now     time.Time  // when the report was made; zero is 1970
	Version string     // of govctl; "" is not said
}

// CheckFormat says that a command has no such format, nil if it has.
func CheckFormat(format string, have []string) error {
	if slices.Contains(have, format) {
		return nil
	}
	return fmt.Errorf("format %q is not one of %s", format, strings.Join(have, ", "))
}

// WriteJSON writes v as indented JSON with a final newline; it is the one JSON form of
// every command. What would steer a terminal or a CI log is written as \u escapes, which
// changes no value.
func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(escaper{w})
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// escaper escapes hidden characters and workflow commands in JSON. They can only stand
// inside strings there.
type escaper struct{ w io.Writer }

func (e escaper) Write(p []byte) (int, error) {
	out := bytes.ReplaceAll(p, []byte("##"), []byte(`#\u0023`))
	if !ascii(out) && bytes.ContainsFunc(out, hiddenInJSON) {
		var b bytes.Buffer
		for _, r := range string(out) {
			switch {
			case !hiddenInJSON(r):
				b.WriteRune(r)
			case r > 0xffff:
				r1, r2 := utf16.EncodeRune(r)
				fmt.Fprintf(&b, `\u%04x\u%04x`, r1, r2)
			default:
				fmt.Fprintf(&b, `\u%04x`, r)
			}
		}
		out = b.Bytes()
	}
	_, err := e.w.Write(out)
	return len(p), err
}

// ascii spares the usual output the search: JSON has no other control characters.
func ascii(p []byte) bool {
	for _, c := range p {
		if c >= 0x7f {
			return false
		}
	}
	return true
}

func hiddenInJSON(r rune) bool { return r != '\n' && hidden(r) }

// palette colours words; with colours off it returns them unchanged.
type palette struct {
	bold, dim, red, green, yellow, cyan func(...any) string
}

func newPalette(on bool) palette {
	style := func(a ...color.Attribute) func(...any) string {
		c := color.New(a...)
		if on {
			c.EnableColor()
		} else {
			c.DisableColor()
		}
		paint := c.SprintFunc()
		return func(words ...any) string {
			if text := fmt.Sprint(words...); text != "" {
				return paint(text)
			}
			return ""
		}
	}
	return palette{
		bold: style(color.Bold), dim: style(color.Faint), red: style(color.FgRed),
		green: style(color.FgGreen), yellow: style(color.FgYellow), cyan: style(color.FgCyan),
	}
}

// Red paints s if on is true.
func Red(s string, on bool) string { return newPalette(on).red(s) }
