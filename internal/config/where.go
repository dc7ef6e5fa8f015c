package config

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// where is a condition over one member.
type where struct {
	expr  hclsyntax.Expression
	scope *hcl.EvalContext
	reads reads
	known map[string]bool // answers by what was read, when only scalars of metadata were
}

// reads is what a condition needs of a member: 100,000 members are not converted
// for the sake of one word.
type reads struct {
	all        bool     // user as a whole, or nobody can tell
	attributes []string // beside metadata
	metadata   []string // first-level names; nil: all of it
}

// profile reports whether more is read than who a member is.
func (r reads) profile() bool {
	return r.all || r.metadata == nil || len(r.metadata) > 0 || slices.ContainsFunc(r.attributes, func(a string) bool { return a != "id" && a != "email" })
}

// userAttributes are the attributes of user, beside metadata.
func userAttributes() []string { return []string{"email", "first_name", "id", "last_name"} }

// where reads a condition: an expression in HCL, a string holding one in YAML. It is
// tried on a member nothing is known of, so that misspellings show without members.
func (d *limitsDecoder) where(a *hcl.Attribute) *where {
	w := &where{scope: d.ctx.NewChild()}
	switch e := a.Expr.(type) {
	case *yamlExpr:
		expr, diags := e.expression()
		d.diagnostics(diags)
		if diags.HasErrors() {
			return nil
		}
		w.expr = expr
	case hclsyntax.Expression:
		w.expr = e
	}
	if !d.literals(w.expr) || !d.references(w.expr) {
		return nil
	}
	unknown := map[string]cty.Value{"metadata": cty.DynamicVal}
	for _, name := range userAttributes() {
		unknown[name] = cty.UnknownVal(cty.String)
	}
	w.scope.Variables = map[string]cty.Value{"user": cty.ObjectVal(unknown)}
	v, diags := w.expr.Value(w.scope)
	if diags.HasErrors() {
		d.evaluation(diags)
		return nil
	}
	if t := v.Type(); t != cty.Bool && t != cty.DynamicPseudoType || v.IsKnown() && v.IsNull() {
		advice := "compare something, as in user.metadata.team == \"ml\""
		if _, text := literalString(w.expr); text {
			advice = "write the expression without quotes"
		}
		d.error(w.expr.Range(), advice, "where must be true or false, not %s", kindOf(cty.UnknownVal(t)))
		return nil
	}
	w.reads, w.known = readsOf(w.expr), map[string]bool{}
	return w
}

// references reports names that do not exist, also in the parts of a condition that
// an evaluation would skip.
func (d *limitsDecoder) references(expr hclsyntax.Expression) bool {
	before := len(d.problems)
	for _, t := range expr.Variables() {
		if t.RootName() != "user" {
			d.undeclared(t, unknownVariable)
			continue
		}
		known := append(userAttributes(), "metadata")
		if name, ok := step(t, 1); ok && !slices.Contains(known, name) {
			d.error(afterDot(t[1]), didYouMean(name, known), "a user has no attribute %q", name)
		}
	}
	hclsyntax.VisitAll(expr, func(n hclsyntax.Node) hcl.Diagnostics {
		if f, ok := n.(*hclsyntax.FunctionCallExpr); ok {
			d.function(f.Name, f.NameRange)
		}
		return nil
	})
	return len(d.problems) == before
}

func readsOf(expr hclsyntax.Expression) reads {
	r := reads{metadata: []string{}}
	for _, t := range expr.Variables() {
		if t.RootName() != "user" {
			continue
		}
		name, ok := step(t, 1)
		if !ok {
			return reads{all: true, attributes: userAttributes()}
		}
		if name != "metadata" {
			r.attributes = append(r.attributes, name)
			continue
		}
		if name, ok = step(t, 2); !ok {
			r.metadata = nil
		} else if r.metadata != nil {
			r.metadata = append(r.metadata, name)
		}
	}
	slices.Sort(r.metadata)
	r.metadata = slices.Compact(r.metadata)
	return r
}

// step is the constant name of one step of a traversal.
func step(t hcl.Traversal, i int) (string, bool) {
	if i >= len(t) {
		return "", false
	}
	switch s := t[i].(type) {
	case hcl.TraverseAttr:
		return s.Name, true
	case hcl.TraverseIndex:
		if s.Key.Type() == cty.String && s.Key.IsKnown() && !s.Key.IsNull() {
			return s.Key.AsString(), true
		}
	}
	return "", false
}

// afterDot is the place of the name in ".name".
func afterDot(t hcl.Traverser) hcl.Range {
	at := t.SourceRange()
	if _, ok := t.(hcl.TraverseAttr); ok {
		at.Start.Byte++
		at.Start.Column++
	}
	return at
}
