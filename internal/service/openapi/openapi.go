// Package openapi holds the contract of the service as one OpenAPI 3.1 document.
//
// The document is written by hand, because it is read by people first: generating it from
// the handlers would describe the code and not the promise. Tests hold the service and the
// client to it. It imports nothing of the service, so that neither can bend the other.
package openapi

import (
	_ "embed"
	"sync"

	"sigs.k8s.io/yaml"
)

//go:embed openapi.yaml
var text []byte

var convert = sync.OnceValues(func() ([]byte, error) { return yaml.YAMLToJSON(text) })

// YAML returns a copy of the document as it was written.
func YAML() []byte { return append([]byte(nil), text...) }

// JSON returns the document as JSON, converted once. The caller must not change it.
func JSON() ([]byte, error) { return convert() }
