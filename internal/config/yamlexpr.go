package config

import (
	"bytes"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"go.yaml.in/yaml/v3"
)

// yamlExpr is a YAML value read as an expression. It is literal: no templates, no
// variables; the evaluation context is not used.
type yamlExpr struct {
	file *yamlFile
	node *yaml.Node
}

// Value implements hcl.Expression.
func (e *yamlExpr) Value(*hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	switch e.node.Kind {
	case yaml.SequenceNode:
		var diags hcl.Diagnostics
		list := make([]cty.Value, len(e.node.Content))
		for i := range e.node.Content {
			v, more := e.child(e.node.Content[i]).Value(nil)
			list[i], diags = v, append(diags, more...)
		}
		return cty.TupleVal(list), diags
	case yaml.MappingNode:
		var diags hcl.Diagnostics
		object := map[string]cty.Value{}
		first := map[string]hcl.Range{}
		for i := 0; i+1 < len(e.node.Content); i += 2 {
			key := e.node.Content[i]
			if at, twice := first[key.Value]; twice {
				diags = append(diags, yamlTwice(key.Value, e.file.at(key), at))
				continue
			}
			first[key.Value] = e.file.at(key)
			v, more := e.child(e.node.Content[i+1]).Value(nil)
			object[key.Value], diags = v, append(diags, more...)
		}
		return cty.ObjectVal(object), diags
	default:
		return e.scalar()
	}
}

func (e *yamlExpr) scalar() (cty.Value, hcl.Diagnostics) {
	n := e.node
	switch n.Tag {
	case "!!null":
		return cty.NullVal(cty.DynamicPseudoType), nil
	case "!!bool":
		return cty.BoolVal(strings.EqualFold(n.Value, "true")), nil
	case "!!int", "!!float":
		digits, err := yamlNumber(n.Value)
		if err != nil {
			return cty.DynamicVal, e.fail(err.Error(), "write it in decimal, or quote it if it is text")
		}
		return cty.MustParseNumberVal(digits), nil
	default:
		if n.Style == 0 && slices.Contains(yamlSwitches, strings.ToLower(n.Value)) {
			return cty.DynamicVal, e.fail("the bare word "+n.Value+" is true or false to some YAML readers",
				"write true or false, or quote it if it is text")
		}
		return cty.StringVal(n.Value), nil // also dates: they are text here
	}
}

// yamlSwitches are words that YAML 1.1 takes for booleans and YAML 1.2 for text.
var yamlSwitches = []string{"yes", "no", "on", "off"}

func (e *yamlExpr) fail(summary, advice string) hcl.Diagnostics {
	return hcl.Diagnostics{{Severity: hcl.DiagError, Summary: summary, Extra: hint(advice), Subject: e.Range().Ptr()}}
}

func (e *yamlExpr) child(n *yaml.Node) *yamlExpr { return &yamlExpr{file: e.file, node: n} }

// Variables implements hcl.Expression.
func (e *yamlExpr) Variables() []hcl.Traversal { return nil }

// Range implements hcl.Expression.
func (e *yamlExpr) Range() hcl.Range { return e.file.at(e.node) }

// StartRange implements hcl.Expression.
func (e *yamlExpr) StartRange() hcl.Range { return e.file.at(e.node) }

// ExprList lets hcl.ExprList see the elements with their places.
func (e *yamlExpr) ExprList() []hcl.Expression {
	if e.node.Kind != yaml.SequenceNode {
		return nil
	}
	list := make([]hcl.Expression, len(e.node.Content))
	for i, n := range e.node.Content {
		list[i] = e.child(n)
	}
	return list
}

// ExprMap lets hcl.ExprMap see keys and values with their places.
func (e *yamlExpr) ExprMap() []hcl.KeyValuePair {
	if e.node.Kind != yaml.MappingNode {
		return nil
	}
	list := make([]hcl.KeyValuePair, 0, len(e.node.Content)/2)
	for i := 0; i+1 < len(e.node.Content); i += 2 {
		list = append(list, hcl.KeyValuePair{
			Key:   &yamlKey{yamlExpr{file: e.file, node: e.node.Content[i]}},
			Value: e.child(e.node.Content[i+1]),
		})
	}
	return list
}

// yamlKey is the key of a map: always text, whatever it looks like.
type yamlKey struct{ yamlExpr }

// Value implements hcl.Expression.
func (k *yamlKey) Value(*hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	return cty.StringVal(k.node.Value), nil
}

// expression parses the text of a scalar as an HCL expression, with places in the
// YAML file: where the text stands in the file as it is, the file is parsed there.
func (e *yamlExpr) expression() (hclsyntax.Expression, hcl.Diagnostics) {
	n := e.node
	if n.Kind != yaml.ScalarNode || n.Tag != "!!str" {
		return nil, e.fail("an expression is text in YAML", `quote it, as in where: 'user.metadata.team == "ml"'`)
	}
	text, at := e.file.written(n)
	return hclsyntax.ParseExpression(text, e.file.name, e.file.pos(at))
}

// written is the text of a scalar as it stands in the file, and where. Lines may be
// folded and indented, which HCL does not mind. Text with escapes is given decoded:
// places after the first escape are then a little off.
func (f *yamlFile) written(n *yaml.Node) (text []byte, at int) {
	at = f.offset(n)
	line, _ := f.source.line(at, n.Line)
	quote := byte(0)
	switch {
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 && line < len(f.source.lines):
		at = f.source.lines[line] // below the indicator
		line++
	case n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 && at < len(f.src):
		quote = f.src[at]
		at++
	}
	want := strings.Fields(n.Value)
	for ; line <= len(f.source.lines); line++ {
		end := len(f.src)
		if line < len(f.source.lines) {
			end = f.source.lines[line]
		}
		text = f.src[min(at, end):end]
		if quote != 0 {
			text = text[:max(bytes.LastIndexByte(text, quote), 0)]
		} else if bytes.HasPrefix(text, []byte(n.Value)) {
			text = text[:len(n.Value)] // a comment may follow
		}
		if slices.Equal(strings.Fields(string(text)), want) {
			return text, at
		}
		if len(text) > 2*len(n.Value)+1<<12 {
			break
		}
	}
	return []byte(n.Value), at
}
