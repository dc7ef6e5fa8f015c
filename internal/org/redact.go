package org

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"unicode/utf8"
)

// secretKey matches names whose texts are secret at any depth, also in properties
// nobody knows yet (T33).
var secretKey = regexp.MustCompile(`(?i)(api.?key|secret|token|passw|credential|authorization|cookie|private)`)

// secretName matches names that say nothing but "secret": under them numbers are
// hidden too. Under longer names a number is a limit that policies need, as in
// passwordMinLength.
var secretName = regexp.MustCompile(`(?i)^(api.?key|secret|token|passw(ord|d)|passphrase|credential|authorization|cookie|private.?key)s?$`)

// secretObject matches objects whose every value is secret whatever its name is.
var secretObject = regexp.MustCompile(`(?i)headers$`)

// secretNames are known names that hold commands or keys but do not look like it.
var secretNames = map[string]bool{"awsAuthRefresh": true, "awsCredentialExport": true}

// plainNames look like secrets but hold numbers or switches that policies need.
var plainNames = map[string]bool{
	"thinkingMaxTokens": true, "maxOutputTokens": true, "restrictApiKeyCreationToManagers": true,
}

// envRef matches a value that only refers to an environment variable.
var envRef = regexp.MustCompile(`^\$\{[A-Za-z_][A-Za-z0-9_]*\}$`)

// hiding says what is secret about a value because of the names above it.
type hiding int

const (
	nothing hiding = iota // only secrets inside URLs
	texts                 // texts
	numbers               // texts and numbers
)

// Redact returns a copy of a decoded JSON value in which secrets are replaced by
// {"redacted":true,"kind":"literal"|"env_ref"}, before anything stores, compares,
// logs or prints it (T33). Booleans, nulls and empty strings are never secret, and
// numbers only where the name says nothing but "secret". Redacting twice is redacting
// once; a Hidden loses its fingerprint, so that what is left is the same everywhere.
func Redact(v any) any { return Redactor{}.Redact(v) }

func (r Redactor) redact(v any, hide hiding) any {
	switch x := v.(type) {
	case map[string]any:
		if isRedacted(x) {
			return maps.Clone(x)
		}
		return r.object(x, hide)
	case []any:
		out := make([]any, len(x))
		for i, w := range x {
			out[i] = r.redact(w, hide)
		}
		return out
	case Hidden:
		if r.sign == nil {
			return placeholder("literal")
		}
		return x
	case string:
		switch {
		case x == "":
			return x
		case hide == nothing:
			return RedactURL(x)
		case envRef.MatchString(x):
			return placeholder("env_ref")
		}
	case nil, bool:
		return v
	default: // a number
		if hide != numbers {
			return v
		}
	}
	if r.sign == nil {
		return placeholder("literal")
	}
	return r.sign(fmt.Sprint(v))
}

// placeholder is what stands for a secret.
func placeholder(kind string) map[string]any {
	return map[string]any{"redacted": true, "kind": kind}
}

func (r Redactor) object(x map[string]any, hide hiding) map[string]any {
	out := make(map[string]any, len(x))
	for _, k := range slices.Sorted(maps.Keys(x)) {
		child := max(hide, hidingOf(k))
		if k == "value" {
			child = max(child, namedValue(x))
		}
		out[freeKey(out, RedactURL(k))] = r.redact(x[k], child)
	}
	return out
}

// hidingOf says what a name hides.
func hidingOf(name string) hiding {
	switch {
	case plainNames[name] || !mayHide(name):
		return nothing
	case secretObject.MatchString(name) || secretName.MatchString(name):
		return numbers
	case secretNames[name] || secretKey.MatchString(name):
		return texts
	}
	return nothing
}

// mayHide is false for names that no pattern matches, which is nearly every name, so that
// the patterns need not look at them. Other than ASCII letters may be small ones of others.
func mayHide(name string) bool {
	var folded [64]byte
	if len(name) > len(folded) {
		return true
	}
	for i := range len(name) {
		c := name[i]
		if c >= utf8.RuneSelf {
			return true
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		folded[i] = c
	}
	for _, part := range secretParts {
		if bytes.Contains(folded[:len(name)], part) {
			return true
		}
	}
	return secretNames[name]
}

// secretParts has a part of everything that the patterns match.
var secretParts = [][]byte{
	[]byte("key"), []byte("secret"), []byte("token"), []byte("passw"), []byte("passphrase"), []byte("credential"),
	[]byte("authorization"), []byte("cookie"), []byte("private"), []byte("headers"),
}

// namedValue says what the name inside a {"name": …, "value": …} pair hides, as lists
// of headers and environment variables have them.
func namedValue(pair map[string]any) hiding {
	hide := nothing
	for _, k := range []string{"name", "key", "header"} {
		if name, ok := pair[k].(string); ok {
			hide = max(hide, hidingOf(name))
		}
	}
	return hide
}

// freeKey numbers a key that is taken, so that two keys which differ only in a secret
// stay two.
func freeKey(taken map[string]any, key string) string {
	free := key
	for n := 2; ; n++ {
		if _, used := taken[free]; !used {
			return free
		}
		free = fmt.Sprintf("%s~%d", key, n)
	}
}

// isRedacted recognizes what stands for a secret, as redact and Hidden write it.
func isRedacted(x map[string]any) bool {
	switch mark, signed := x[fingerprintName].(string); {
	case x["redacted"] != true:
		return false
	case signed:
		return len(x) == 3 && x["kind"] == "literal" && fingerprint.MatchString(mark)
	}
	return len(x) == 2 && (x["kind"] == "literal" || x["kind"] == "env_ref")
}
