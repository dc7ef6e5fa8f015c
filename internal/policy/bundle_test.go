package policy_test

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/bundle"

	"github.com/govctl/govctl/internal/policy"
)

// archive packs one rule into a bundle, signed if there is a private key.
func archive(t *testing.T, text, private string) []byte {
	t.Helper()
	b := bundle.Bundle{
		Manifest: bundle.Manifest{Roots: &[]string{"own"}},
		Data:     map[string]any{},
		Modules:  []bundle.ModuleFile{{Path: "/own/r.rego", URL: "/own/r.rego", Raw: []byte(text), Parsed: ast.MustParseModule(text)}},
	}
	if private != "" {
		if err := b.GenerateSignature(bundle.NewSigningConfig(private, "RS256", ""), "key", false); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := bundle.NewWriter(&out).DisableFormat(true).Write(b); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// pair is a private key and its public half in PEM.
func pair(t *testing.T) (private, public string) {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})),
		string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
}

// TestBundles holds that bundles load beside the library, and that a signature counts.
func TestBundles(t *testing.T) {
	t.Parallel()
	rule := rogue("OWN001", `findings contains {"path": "/settings/n", "message": "n"} if input.settings.n`)
	private, public := pair(t)
	_, stranger := pair(t)
	ours := strings.Replace(rule, "package own.", "package govctl.own.", 1)
	for name, c := range map[string]struct {
		archive []byte
		key     *policy.Key
		want    string // in the error, "" if it loads
	}{
		"unsigned":              {archive(t, rule, ""), nil, ""},
		"signed":                {archive(t, rule, private), &policy.Key{PEM: public}, ""},
		"unsigned but expected": {archive(t, rule, ""), &policy.Key{PEM: public}, "missing .signatures.json"},
		"signed by a stranger":  {archive(t, rule, private), &policy.Key{PEM: stranger}, "verif"},
		"signed, nobody knows":  {archive(t, rule, private), nil, "verification key not provided"},
		"our namespace":         {archive(t, ours, ""), nil, "do not permit"},
		"no bundle":             {[]byte("nonsense"), nil, "read bundle own.tar.gz"},
		"cut off":               {archive(t, rule, "")[:100], nil, "read bundle own.tar.gz"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options()
			o.Sources = []policy.Source{{Name: "own.tar.gz", Archive: c.archive, Key: c.key}}
			e, err := policy.Load(o)
			if c.want != "" {
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("got %v, want %q", err, c.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := check(t, e, settings(t, `{"n":1,"sandbox":{"enabled":true}}`)); len(got) != 1 || !strings.HasPrefix(got[0], "OWN001") {
				t.Errorf("got %q", got)
			}
		})
	}
}
