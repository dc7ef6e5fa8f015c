package policy

import (
	"bytes"
	"cmp"
	"path"
	"strings"

	"github.com/open-policy-agent/opa/v1/bundle"
	"github.com/open-policy-agent/opa/v1/keys"
)

// maxBundleFile is the largest file a bundle may hold: archives are foreign and
// compressed.
const maxBundleFile = 16 << 20

// bundle reads an OPA bundle. With a key it must be signed by it; a signed bundle without
// a key is refused, because nobody could say whose it is.
func (l *loaded) bundle(s Source, withTests bool) {
	r := bundle.NewCustomReader(bundle.NewTarballLoaderWithBaseURL(bytes.NewReader(s.Archive), "")).
		WithProcessAnnotations(true).WithCapabilities(Capabilities()).WithSizeLimitBytes(maxBundleFile)
	if s.Key != nil {
		const id = "key"
		key := &keys.Config{Key: s.Key.PEM, Algorithm: cmp.Or(s.Key.Algorithm, "RS256"), Scope: s.Key.Scope}
		r = r.WithBundleVerificationConfig(bundle.NewVerificationConfig(map[string]*bundle.KeyConfig{id: key}, id, s.Key.Scope, nil))
	}
	b, err := r.Read()
	if err != nil {
		l.problem("read bundle %s: %v", s.Name, err)
		return
	}
	for _, m := range b.Modules {
		test := strings.HasSuffix(m.Path, "_test.rego")
		if m.Parsed == nil || test && !withTests {
			continue
		}
		file := path.Join(s.Name, strings.TrimPrefix(m.Path, "/"))
		l.add(file, m.Parsed, test)
		l.ownModule(file)
	}
	l.addData(s.Name, b.Data)
}
