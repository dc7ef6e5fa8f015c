package config

import (
	"bytes"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// value evaluates an expression. It reports nothing more when an unknown value comes
// from something already reported.
func (d *decoder) value(expr hcl.Expression) (cty.Value, bool) {
	if !d.literals(expr) {
		return cty.DynamicVal, false
	}
	v, diags := expr.Value(d.ctx)
	d.evaluation(diags)
	if diags.HasErrors() || !v.IsWhollyKnown() {
		return cty.DynamicVal, false
	}
	v, _ = v.UnmarkDeep()
	return v, true
}

// evaluation reports diagnostics of an evaluation. Suggestions are made here: those of
// HCL depend on the order of a map.
func (d *decoder) evaluation(diags hcl.Diagnostics) {
	for _, diag := range diags {
		if f, ok := hcl.DiagnosticExtra[hclsyntax.FunctionCallUnknownDiagExtra](diag); ok {
			d.function(f.CalledFunctionName(), *diag.Subject)
			continue
		}
		if e, ok := diag.Expression.(*hclsyntax.ScopeTraversalExpr); ok && d.undeclared(e.Traversal, diag.Summary) {
			continue
		}
		d.diagnostic(diag, "")
	}
}

// function reports a call of a function that does not exist.
func (d *decoder) function(name string, at hcl.Range) {
	if _, known := d.ctx.Functions[name]; !known {
		d.error(at, didYouMean(name, slices.Sorted(maps.Keys(d.ctx.Functions))), "there is no function %q", name)
	}
}

// undeclared reports a reference to something that does not exist. It returns false
// when the reference is fine and something else is wrong.
func (d *decoder) undeclared(t hcl.Traversal, summary string) bool {
	root, at := t.RootName(), t.SourceRange()
	declared, known := map[string][]string{"var": d.variables, "local": d.locals}[root]
	switch {
	case !known && summary != unknownVariable:
		return false
	case root == "user":
		d.error(at, "user exists in where only", "there is no variable %q here", root)
		return true
	case !known:
		advice := didYouMean(root, []string{"local", "var"})
		if nearest(root, []string{"local", "var"}) == "" {
			advice = "quote it if it is text"
		}
		d.error(at, advice, "there is no variable %q", root)
		return true
	}
	name, ok := step(t, 1)
	if !ok || slices.Contains(declared, name) {
		return false
	}
	if !d.broken {
		d.error(at, didYouMean(name, declared), "%s.%s is not declared", root, name)
	}
	return true
}

// literals reports what HCL accepts in silence inside an expression: keys written
// twice in one object, and numbers with leading zeros.
func (d *decoder) literals(expr hcl.Expression) bool {
	node, ok := expr.(hclsyntax.Expression)
	if !ok {
		return true
	}
	before := len(d.problems)
	hclsyntax.VisitAll(node, func(n hclsyntax.Node) hcl.Diagnostics {
		switch n := n.(type) {
		case *hclsyntax.ObjectConsExpr:
			d.objectKeys(n)
		case *hclsyntax.LiteralValueExpr:
			d.leadingZero(n)
		}
		return nil
	})
	return len(d.problems) == before
}

func (d *decoder) objectKeys(o *hclsyntax.ObjectConsExpr) {
	first := make(map[string]hcl.Range, len(o.Items))
	for _, item := range o.Items {
		key, ok := literalKey(item.KeyExpr)
		if !ok {
			continue
		}
		at := item.KeyExpr.Range()
		if f, twice := first[key]; twice {
			d.twice(at, f, "keep one of them", "%q is declared twice", key)
			continue
		}
		first[key] = at
	}
}

// leadingZero reports a number such as 010, which HCL reads as 10 and others as 8.
func (d *decoder) leadingZero(n *hclsyntax.LiteralValueExpr) bool {
	if n.Val.Type() != cty.Number {
		return false
	}
	text := d.text(n.SrcRange)
	if len(text) < 2 || text[0] != '0' || !bytes.ContainsAny(text[1:2], "0123456789") {
		return false
	}
	d.error(n.SrcRange, "drop the zeros, or quote it if it is text", "a number with a leading zero means different things to different readers")
	return true
}

// literalKey is the text of an object key that needs no evaluation.
func literalKey(expr hcl.Expression) (string, bool) {
	key, ok := expr.(*hclsyntax.ObjectConsKeyExpr)
	if !ok {
		return "", false
	}
	if !key.ForceNonLiteral {
		if name := hcl.ExprAsKeyword(key.Wrapped); name != "" {
			return name, true
		}
	}
	return literalString(key.Wrapped)
}

func literalString(expr hcl.Expression) (string, bool) {
	switch e := expr.(type) {
	case *hclsyntax.TemplateExpr:
		if e.IsStringLiteral() {
			return literalString(e.Parts[0])
		}
	case *hclsyntax.LiteralValueExpr:
		if e.Val.Type() == cty.String && !e.Val.IsNull() {
			return e.Val.AsString(), true
		}
	}
	return "", false
}
