package org

import "regexp"

// assigned matches NAME=value, --name=value, --name value and Header: value of a command
// line where the name looks like a secret's; given matches the scheme of a credential with
// what follows it, and shaped the forms in which keys are handed out.
var (
	assigned = regexp.MustCompile(`(?i)([A-Za-z0-9_.-]*(?:api.?key|secret|token|passw|credential|authorization|cookie|private|pwd)[A-Za-z0-9_.-]*["']?\s*(?:=|:|\s)\s*)((?:basic|bearer|digest)\s+)?("[^"]*"|'[^']*'|[^\s"'&;|]+)`)
	given    = regexp.MustCompile(`(?i)\b((?:basic|bearer|digest)\s+)[^\s"']{6,}`)
	shaped   = regexp.MustCompile(`\b(?:sk|pk|rk|gh[pousr]|github_pat|glpat|xox[abposr]|AKIA|ASIA|eyJ)[-_A-Za-z0-9][-_.A-Za-z0-9]{7,}`)
)

// RedactCommand hides what looks like a secret in a command line: values of names that
// say so, credentials behind their scheme, keys of well-known forms, and secrets of URLs
// (T34). It is a guess and may hide a word too much.
func RedactCommand(s string) string {
	s = RedactURL(s)
	s = assigned.ReplaceAllString(s, "${1}${2}redacted")
	s = given.ReplaceAllString(s, "${1}redacted")
	return shaped.ReplaceAllString(s, "redacted")
}

// RedactURLs is RedactURL for every text in a decoded JSON value, which it changes and
// returns. Nothing is hidden because of its name: it is for usage, where tokens are counted.
func RedactURLs(v any) any {
	switch x := v.(type) {
	case string:
		return RedactURL(x)
	case []any:
		for i := range x {
			x[i] = RedactURLs(x[i])
		}
	case map[string]any:
		for k := range x {
			x[k] = RedactURLs(x[k])
		}
	}
	return v
}
