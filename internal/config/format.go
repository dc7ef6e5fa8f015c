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
	if n := len(src); n > 0 && src[n-1] != '\n' {
		src = append(bytes.Clone(src), '\n') // before formatting: what ends the last line is layout too
	}
	for range maxPasses {
		out := hclwrite.Format(src)
		if bytes.Equal(out, src) {
			break
		}
		src = out
	}
	return src, nil
}

// maxPasses is how often a layout may be laid out: hclwrite needs a second look where a
// comment follows a closing brace.
const maxPasses = 4
