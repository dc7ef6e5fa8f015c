package config

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// ReadVarFile adds the NAME = VALUE lines of an HCL file to vars, in the form that
// Options.Vars takes: strings as they are, everything else as its source text.
func ReadVarFile(path string, vars map[string]string) error {
	src, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read variables: %w", err)
	}
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	file, diags := hclsyntax.ParseConfig(src, path, hcl.InitialPos)
	if diags.HasErrors() {
		return fmt.Errorf("read variables: %w", diags)
	}
	attrs, diags := file.Body.JustAttributes()
	if diags.HasErrors() {
		return fmt.Errorf("read variables: %w", diags)
	}
	for _, name := range slices.Sorted(maps.Keys(attrs)) {
		expr := attrs[name].Expr
		if v, diags := expr.Value(nil); !diags.HasErrors() && v.Type() == cty.String && v.IsKnown() && !v.IsNull() {
			vars[name] = v.AsString()
			continue
		}
		vars[name] = string(expr.Range().SliceBytes(src))
	}
	return nil
}
