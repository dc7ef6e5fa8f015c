package config

import (
	"bytes"
	"errors"
	"path"

	"github.com/hashicorp/hcl/v2/hclwrite"
)

// Format returns src in the canonical layout of HCL. The error is Problems when src
// does not parse; nothing is reformatted then.
func Format(src []byte, filename string) ([]byte, error) {
	if path.Ext(filename) != ".hcl" {
		return nil, errors.New("format " + filename + ": only HCL has a canonical layout")
	}
	src = bytes.TrimPrefix(src, utf8BOM)
	r := newReport()
	r.keep(filename, src)
	parseHCL(r, filename, src)
	if err := r.err(); err != nil {
		return nil, err
	}
	out := hclwrite.Format(src)
	if n := len(out); n > 0 && out[n-1] != '\n' {
		out = append(out, '\n')
	}
	return out, nil
}
