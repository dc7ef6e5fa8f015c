package org

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
)

// Redactor hides secrets as Redact does and, if it has a key, puts a Hidden in the place
// of each, so that a secret that became another one is seen. The zero Redactor has none.
type Redactor struct {
	sign func(secret string) Hidden
}

// NewRedactor makes a Redactor with the key that a function gives. It is asked when the
// first secret is met, from one goroutine at a time, and must give the same key always.
// Kept says that other runs have this key too: only then are fingerprints shown.
func NewRedactor(key func() (key []byte, kept bool)) Redactor {
	return Redactor{sign: func(secret string) Hidden {
		k, kept := key()
		mac := hmac.New(sha256.New, k)
		mac.Write([]byte(secret)) // a hash takes everything
		return Hidden{print: hex.EncodeToString(mac.Sum(nil)[:4]), shown: kept}
	}}
}

// Redact returns a copy of a decoded JSON value without its secrets.
func (r Redactor) Redact(v any) any { return r.redact(v, nothing) }

// Hidden stands for a secret in a decoded JSON value. Two of one Redactor are equal when
// the secrets are; 32 bits of a keyed hash say nothing of the secret to anybody who does
// not have the key (T33).
type Hidden struct {
	print string // 8 hexadecimal digits
	shown bool
}

// fingerprintName is the name of the fingerprint beside "redacted" and "kind".
const fingerprintName = "fp"

// fingerprint matches what a kept key makes of a secret.
var fingerprint = regexp.MustCompile(`^[0-9a-f]{8}$`)

// Identity is equal for equal secrets within one run, and nothing to be shown.
func (h Hidden) Identity() string { return "hidden " + h.print }

// MarshalJSON writes {"redacted":true,"kind":"literal"}, with "fp" if other runs have the
// key.
func (h Hidden) MarshalJSON() ([]byte, error) {
	out := placeholder("literal")
	if h.shown {
		out[fingerprintName] = h.print
	}
	return json.Marshal(out)
}

// SecretText says in words what stands for a secret, be it a Hidden or how one is stored:
// (secret, fingerprint ab12cd34). It reports false for any other value.
func SecretText(v any) (string, bool) {
	if h, ok := v.(Hidden); ok {
		if h.shown {
			return "(secret, fingerprint " + h.print + ")", true
		}
		return "(secret)", true
	}
	x, _ := v.(map[string]any)
	if !isRedacted(x) {
		return "", false
	}
	if mark, ok := x[fingerprintName].(string); ok {
		return "(secret, fingerprint " + mark + ")", true
	}
	if x["kind"] == "env_ref" {
		return "(environment variable)", true
	}
	return "(secret)", true
}
