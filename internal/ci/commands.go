package ci

import (
	"fmt"
	"strings"
	"time"
)

// Group is the pair of lines that folds what a log has between them, "" and "" where a
// runner has no such thing. name has letters, digits and _ only; title may be foreign.
func Group(r Runner, name, title string, now time.Time) (begin, end string) {
	switch r {
	case GitHub:
		return "::group::" + data(title) + "\n", "::endgroup::\n"
	case GitLab:
		const rest = "\r\x1b[0K"
		at := now.Unix()
		return fmt.Sprintf("section_start:%d:%s[collapsed=true]%s%s\n", at, name, rest, data(title)),
			fmt.Sprintf("section_end:%d:%s%s\n", at, name, rest)
	}
	return "", ""
}

// Mask is the line that makes a runner hide a secret from here on, "" where there is no
// such thing. The line itself is never shown.
func Mask(r Runner, secret string) string {
	if r != GitHub || strings.TrimSpace(secret) == "" {
		return ""
	}
	return "::add-mask::" + escape.Replace(secret) + "\n"
}

// data makes foreign text the harmless text of a workflow command.
func data(s string) string {
	s = strings.ReplaceAll(strings.Map(printable, s), "##[", "## [")
	return escape.Replace(strings.TrimLeft(s, ": "))
}

// escape is the runner's own: the percent sign is what the others are written with.
var escape = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
