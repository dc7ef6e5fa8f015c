package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// Condition is an HCL expression over the named values of a row, as where is one over a
// member. It is for one goroutine.
type Condition struct {
	expr  hclsyntax.Expression
	scope *hcl.EvalContext
	reads []string
}

// ParseCondition reads a condition over these names. It has the functions of the
// configuration but those that read files. Its error lists every mistake with its place;
// name says where the text comes from, as in --where.
func ParseCondition(name, text string, names []string) (*Condition, error) {
	r := newReport()
	r.keep(name, []byte(text))
	d := &decoder{report: r, ctx: &hcl.EvalContext{Variables: map[string]cty.Value{}, Functions: functions(nil)}}
	for _, reader := range []string{"file", "fileexists"} {
		delete(d.ctx.Functions, reader)
	}
	expr, diags := hclsyntax.ParseExpression([]byte(text), name, hcl.InitialPos)
	for _, diag := range diags {
		d.diagnostic(diag, "")
	}
	if diags.HasErrors() {
		return nil, plainError(r.all())
	}
	c := &Condition{expr: expr, scope: d.ctx}
	if !d.literals(expr) || !d.columns(expr, names) {
		return nil, plainError(r.all())
	}
	for _, t := range expr.Variables() {
		c.reads = append(c.reads, t.RootName())
		c.scope.Variables[t.RootName()] = cty.DynamicVal
	}
	slices.Sort(c.reads)
	c.reads = slices.Compact(c.reads)
	v, diags := expr.Value(c.scope)
	for _, diag := range diags {
		d.diagnostic(diag, "")
	}
	if t := v.Type(); !diags.HasErrors() && (t != cty.Bool && t != cty.DynamicPseudoType || v.IsKnown() && v.IsNull()) {
		d.error(expr.Range(), "compare something, as in "+example(names), "the condition must be true or false, not %s", kindOf(cty.UnknownVal(t)))
	}
	if len(d.problems) > 0 {
		return nil, plainError(r.all())
	}
	return c, nil
}

// plainError is problems that are not in a file of the configuration.
func plainError(ps Problems) error { return errors.New(ps.Error()) }

// example is a condition somebody may have meant.
func example(names []string) string {
	if len(names) == 0 {
		return `x == "y"`
	}
	return names[0] + ` == "…"`
}

// columns reports names that no row has, and functions that do not exist, also in the
// parts of a condition that an evaluation would skip.
func (d *decoder) columns(expr hclsyntax.Expression, names []string) bool {
	before := len(d.problems)
	for _, t := range expr.Variables() {
		if !slices.Contains(names, t.RootName()) {
			d.error(t.SourceRange(), didYouMean(t.RootName(), slices.Sorted(slices.Values(names))), "there is no column %q", t.RootName())
		}
	}
	hclsyntax.VisitAll(expr, func(n hclsyntax.Node) hcl.Diagnostics {
		if f, ok := n.(*hclsyntax.FunctionCallExpr); ok {
			if _, known := d.ctx.Functions[f.Name]; !known {
				d.error(f.NameRange, didYouMean(f.Name, slices.Sorted(maps.Keys(d.ctx.Functions))), "there is no function %q", f.Name)
			}
		}
		return nil
	})
	return len(d.problems) == before
}

// Holds judges a row, of which value gives decoded JSON values by name. Decided is false
// when the row lacks a value without which there is no answer.
func (c *Condition) Holds(value func(name string) any) (yes, decided bool, err error) {
	for _, name := range c.reads {
		v, err := fromJSON(value(name))
		if err != nil {
			return false, false, fmt.Errorf("%s: %w", name, err)
		}
		c.scope.Variables[name] = v
	}
	v, diags := c.expr.Value(c.scope)
	switch {
	case diags.HasErrors() && c.lacks():
		return false, false, nil
	case diags.HasErrors():
		return false, false, fmt.Errorf("the condition fails: %s; %s", diags[0].Summary, diags[0].Detail)
	case v.IsNull() || !v.IsKnown():
		return false, false, nil
	case v.Type() != cty.Bool:
		return false, false, errors.New("the condition is not true or false for every row")
	}
	return v.True(), true, nil
}

// lacks reports whether something that the condition reads is absent from the row.
func (c *Condition) lacks() bool {
	for _, t := range c.expr.Variables() {
		if v, diags := t.TraverseAbs(c.scope); diags.HasErrors() || v.IsNull() {
			return true
		}
	}
	return false
}
