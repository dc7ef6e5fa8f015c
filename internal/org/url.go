package org

import (
	"net/url"
	"regexp"
	"strings"
)

// link finds the first absolute or scheme-relative URL in a text, up to the next space.
// Texts may have megabytes, so that it looks at each byte once.
func link(s string) (start, end int, ok bool) {
	for from := 0; ; {
		i := strings.Index(s[from:], "//")
		if i < 0 {
			return 0, 0, false
		}
		start, end = from+i, from+i+2
		if n := strings.IndexAny(s[end:], " \t\n\f\r"); n > 0 {
			end += n
		} else if n < 0 {
			end = len(s)
		}
		if end == start+2 { // nothing follows
			from = end
			continue
		}
		return scheme(s[from:start]) + from, end, true
	}
}

// scheme is where a URL scheme with its colon begins that ends a text, or the length of
// the text.
func scheme(s string) int {
	if !strings.HasSuffix(s, ":") {
		return len(s)
	}
	start := len(s)
	for i := len(s) - 2; i >= 0; i-- {
		c := s[i]
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (c < '0' || c > '9') && c != '+' && c != '.' && c != '-' {
			break
		}
		if letter {
			start = i
		}
	}
	return start
}

// host matches an authority without userinfo.
var host = regexp.MustCompile(`^(\[[^\]]*\]|[^:]*)(:[0-9]*)?$`)

// secretParameter matches the names of query parameters that grant access, besides
// those of secretKey.
var secretParameter = regexp.MustCompile(`(?i)(^|[-_.])(key|sig|signature|auth|pwd|pass|jwt)$`)

// RedactURL hides userinfo and secret-looking query and fragment values of every URL in
// a text and leaves every other byte as it is. Where it cannot tell what belongs to a
// password it hides too much.
func RedactURL(s string) string {
	if !strings.Contains(s, "//") {
		return s
	}
	var b strings.Builder
	for {
		start, end, ok := link(s)
		if !ok {
			return b.String() + s
		}
		b.WriteString(s[:start])
		found := s[start:end]
		s = s[end:]
		scheme, rest, _ := strings.Cut(found, "//")
		authority := rest
		if i := strings.IndexAny(rest, "/?#"); i >= 0 {
			authority = rest[:i]
		}
		if at := strings.LastIndexByte(authority, '@'); at > 0 {
			rest = "redacted" + rest[at:]
		} else if !host.MatchString(authority) { // the password has a slash or a space
			if at := strings.LastIndexByte(s, '@'); at >= 0 {
				s = scheme + "//redacted" + s[at:]
				continue
			} else if at := strings.LastIndexByte(rest, '@'); at >= 0 {
				rest = "redacted" + rest[at:]
			}
		}
		if i := strings.IndexAny(rest, "?#"); i >= 0 {
			rest = rest[:i] + redactQuery(rest[i:])
		}
		b.WriteString(scheme + "//" + rest)
	}
}

// redactQuery hides secret values of a query or fragment and keeps its layout.
func redactQuery(query string) string {
	var b strings.Builder
	for len(query) > 0 {
		end := len(query)
		if i := strings.IndexAny(query[1:], "?#&;"); i >= 0 {
			end = i + 1
		}
		part := query[:end]
		if name, _, found := strings.Cut(part[1:], "="); found && secretQuery(name) {
			part = part[:1] + name + "=redacted"
			if end = strings.IndexAny(query[1:], "&#") + 1; end == 0 {
				end = len(query)
			}
		}
		b.WriteString(part)
		query = query[end:]
	}
	return b.String()
}

// secretQuery reports whether a query parameter of that name, escaped or not, grants
// access.
func secretQuery(name string) bool {
	if plain, err := url.QueryUnescape(name); err == nil {
		name = plain
	}
	return secretKey.MatchString(name) || secretParameter.MatchString(name)
}
