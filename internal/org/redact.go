package org

import (
	"net/url"
	"regexp"
	"strings"
)

// secretKey matches names whose values are secret at any depth, also in properties
// nobody knows yet (T33).
var secretKey = regexp.MustCompile(`(?i)(api[_-]?key|secret|token|passw|credential|authorization|cookie|private)`)

// secretObjects are objects whose every value is secret whatever its name is.
var secretObjects = map[string]bool{"extraHeaders": true}

// secretNames are known names that hold commands or keys but do not look like it.
var secretNames = map[string]bool{"awsAuthRefresh": true, "awsCredentialExport": true}

// plainNames look like secrets but hold numbers or switches that policies need.
var plainNames = map[string]bool{
	"thinkingMaxTokens": true, "maxOutputTokens": true, "restrictApiKeyCreationToManagers": true,
}

// envRef matches a value that only refers to an environment variable.
var envRef = regexp.MustCompile(`^\$\{[A-Za-z_][A-Za-z0-9_]*\}$`)

// Redact returns a copy of a decoded JSON value in which secrets are replaced by
// {"redacted":true,"kind":"literal"|"env_ref"}, before anything stores, compares,
// logs or prints it (T33). Booleans, numbers, nulls and empty strings are never
// secret: only text can carry one.
func Redact(v any) any { return redact(v, false) }

func redact(v any, secret bool) any {
	switch x := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, w := range x {
			hide := secret || secretObjects[k] || secretNames[k] || (secretKey.MatchString(k) && !plainNames[k])
			out[k] = redact(w, hide)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, w := range x {
			out[i] = redact(w, secret)
		}
		return out
	case string:
		if x == "" {
			return x
		}
		if secret {
			kind := "literal"
			if envRef.MatchString(x) {
				kind = "env_ref"
			}
			return map[string]any{"redacted": true, "kind": kind}
		}
		return RedactURL(x)
	default:
		return v
	}
}

// RedactURL hides userinfo and secret-looking query values of an absolute URL and
// returns every other string unchanged.
func RedactURL(s string) string {
	if !strings.Contains(s, "://") {
		return s
	}
	u, err := url.Parse(s)
	if err != nil || u.Host == "" {
		if i, at := strings.Index(s, "://"), strings.LastIndexByte(s, '@'); at > i {
			return s[:i+3] + "redacted" + s[at:]
		}
		return s
	}
	changed := false
	if u.User != nil {
		u.User, changed = url.User("redacted"), true
	}
	if q := u.Query(); len(q) > 0 {
		for k, vs := range q {
			if secretKey.MatchString(k) {
				for i := range vs {
					vs[i] = "redacted"
				}
				changed = true
			}
		}
		if changed {
			u.RawQuery = q.Encode()
		}
	}
	if !changed {
		return s
	}
	return u.String()
}
