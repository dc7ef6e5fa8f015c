package render

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxValue  = 200  // runes of one value in a line; the whole value is in JSON
	maxReason = 1000 // runes of one error or reason
)

// Clean makes one line of foreign text harmless on a terminal and in a CI log: control
// characters, escape sequences, bidirectional and invisible characters are replaced,
// workflow commands are broken, and a text of more than 200 runes ends in "…" as its
// 201st (principle 6). Cleaning twice is cleaning once.
func Clean(s string) string { return clean(s, maxValue) }

// reason is Clean with more room, for errors that explain themselves.
func reason(s string) string { return clean(s, maxReason) }

// Message makes the text of an error or a warning harmless line by line. Its lines and
// tabs stay, because problems of a configuration are laid out with them.
func Message(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		parts := strings.Split(line, "\t")
		for j := range parts {
			parts[j] = replaceHidden(parts[j])
		}
		lines[i] = cut(breakCommands(strings.Join(parts, "\t")), maxReason)
	}
	return strings.Join(lines, "\n")
}

func clean(s string, most int) string {
	if plain(s) {
		return cut(s, most)
	}
	return cut(breakCommands(replaceHidden(s)), most)
}

func replaceHidden(s string) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || hidden(r) {
			return utf8.RuneError
		}
		return r
	}, s)
}

// breakCommands makes one line something that no CI runner obeys.
func breakCommands(line string) string {
	line = breakCommand(breakCommand(line, "##["), "##vso[")
	if strings.HasPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), "::") {
		line = string(utf8.RuneError) + line
	}
	return line
}

// hidden reports whether a rune steers its reader instead of being read.
func hidden(r rune) bool {
	if r < 0x7f {
		return r < 0x20
	}
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co)
}

// breakCommand puts a space before the bracket that makes a runner's command.
func breakCommand(s, command string) string {
	return strings.ReplaceAll(s, command, strings.TrimSuffix(command, "[")+" [")
}

// cut keeps the first runes of s.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	n := 0
	for i := range s {
		if n == most {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

// plain recognizes the usual ASCII value, in which nothing needs to be replaced.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c > 0x7e || c == '#' || c == ':' {
			return false
		}
	}
	return true
}
