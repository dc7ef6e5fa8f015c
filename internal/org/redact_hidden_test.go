package org

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// keyed is a Redactor whose key every run has.
func keyed(key string) Redactor {
	return NewRedactor(func() ([]byte, bool) { return []byte(key), true })
}

func asJSON(t rapid.TB, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestFingerprints: equal secrets look equal, others do not, whatever names lead to them;
// another key says something else.
func TestFingerprints(t *testing.T) {
	t.Parallel()
	const text = `{"models":[{"id":"m","apiKey":"C4N4RY"},{"apiKey":"other"},{"apiKey":"${KEY}"}],"password":7,"tokens":["C4N4RY"],"limit":9}`
	// The fingerprints are the first 8 digits of HMAC-SHA256 with the key "k", as
	// printf C4N4RY | openssl dgst -sha256 -hmac k  says.
	const want = `{"limit":9,"models":[{"apiKey":{"fp":"20e73c56","kind":"literal","redacted":true},"id":"m"},{"apiKey":{"fp":"70fd2368","kind":"literal","redacted":true}},` +
		`{"apiKey":{"kind":"env_ref","redacted":true}}],"password":{"fp":"9c737d16","kind":"literal","redacted":true},"tokens":[{"fp":"20e73c56","kind":"literal","redacted":true}]}`
	got := keyed("k").Redact(parse(t, text))
	if diff := cmp.Diff(want, asJSON(t, got)); diff != "" {
		t.Errorf("with a key (-want +got):\n%s", diff)
	}
	if asJSON(t, keyed("l").Redact(parse(t, text))) == want {
		t.Error("another key makes the same fingerprints")
	}
	plain := Redact(parse(t, text))
	if diff := cmp.Diff(plain, Redact(got)); diff != "" {
		t.Errorf("Redact keeps fingerprints (-want +got):\n%s", diff)
	}
	once := NewRedactor(func() ([]byte, bool) { return []byte("k"), false })
	if diff := cmp.Diff(asJSON(t, plain), asJSON(t, once.Redact(parse(t, text)))); diff != "" {
		t.Errorf("a key of one run is shown (-want +got):\n%s", diff)
	}
	a, b := once.Redact(parse(t, `{"apiKey":"a"}`)), once.Redact(parse(t, `{"apiKey":"b"}`))
	if EqualJSON(a, b) || !EqualJSON(a, once.Redact(parse(t, `{"apiKey":"a"}`))) {
		t.Error("a key of one run does not tell secrets apart")
	}
}

// TestKeyUnasked: a document without secrets needs no key.
func TestKeyUnasked(t *testing.T) {
	t.Parallel()
	r := NewRedactor(func() ([]byte, bool) { t.Error("the key is asked for"); return nil, false })
	r.Redact(parse(t, `{"a":[1,"x",null,{"apiKey":"","token":"${T}","restrictApiKeyCreationToManagers":true}]}`))
}

func TestSecretText(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"redacted":true,"kind":"literal"}`:                  "(secret)",
		`{"redacted":true,"kind":"literal","fp":"ab12cd34"}`:  "(secret, fingerprint ab12cd34)",
		`{"redacted":true,"kind":"env_ref"}`:                  "(environment variable)",
		`{"redacted":true,"kind":"literal","fp":"::error::"}`: "",
		`{"redacted":true,"kind":"literal","fp":7}`:           "",
		`{"redacted":false,"kind":"literal"}`:                 "",
		`"(secret)"`:                                          "",
	} {
		if got, ok := SecretText(parse(t, in)); got != want || ok != (want != "") {
			t.Errorf("SecretText(%s) = %q, %t, want %q", in, got, ok, want)
		}
	}
	hidden := keyed("k").Redact(parse(t, `{"apiKey":"C4N4RY"}`)).(map[string]any)["apiKey"]
	stored := parse(t, asJSON(t, hidden))
	a, _ := SecretText(hidden)
	if b, _ := SecretText(stored); a != b || a != "(secret, fingerprint 20e73c56)" {
		t.Errorf("SecretText says %q, and of what is stored %q", a, b)
	}
}

// TestKeyedAgrees: a key changes nothing about what is hidden, nothing of a secret is
// left, and hiding twice is hiding once, also of what was stored.
func TestKeyedAgrees(t *testing.T) {
	t.Parallel()
	r := keyed("k")
	rapid.Check(t, func(t *rapid.T) {
		v := map[string]any{"secret": canary, "any": drawJSON().Draw(t, "v")}
		once := r.Redact(v)
		if diff := cmp.Diff(Redact(v), Redact(once)); diff != "" {
			t.Fatalf("what is hidden depends on the key (-without +with):\n%s", diff)
		}
		text := asJSON(t, once)
		if strings.Contains(text, canary) {
			t.Fatalf("the secret survives: %s", text)
		}
		if twice := asJSON(t, r.Redact(once)); twice != text {
			t.Fatalf("hidden twice:\n%s\n%s", text, twice)
		}
		stored, err := DecodeJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if again := asJSON(t, r.Redact(stored)); again != text {
			t.Fatalf("stored and hidden again:\n%s\n%s", text, again)
		}
	})
}
