package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// decodeVariables gives every declared variable its value and returns the given
// texts that were used.
func (d *decoder) decodeVariables(blocks []*hcl.Block, o Options) map[string]string {
	used := map[string]string{}
	values := map[string]cty.Value{}
	first := map[string]hcl.Range{}
	for _, b := range blocks {
		name := b.Labels[0]
		if at, twice := first[name]; twice {
			d.twice(b.LabelRanges[0], at, "keep one of them", "variable %q is declared twice", name)
			continue
		}
		first[name] = b.LabelRanges[0]
		d.variables = append(d.variables, name)
		text, given := o.Vars[name]
		if !given {
			text, given = o.Env[name]
		}
		if given {
			used[name] = text
		}
		values[name] = d.variable(b, text, given)
	}
	slices.Sort(d.variables)
	for _, name := range slices.Sorted(maps.Keys(o.Vars)) {
		if _, declared := values[name]; !declared && !d.broken {
			d.add(Problem{Message: fmt.Sprintf("a value was given for the variable %q, which no file declares", name), Hint: didYouMean(name, d.variables)})
		}
	}
	d.ctx.Variables["var"] = cty.ObjectVal(values)
	return used
}

// variable is the value of one variable; unknown after a problem.
func (d *decoder) variable(b *hcl.Block, text string, given bool) cty.Value {
	s := d.section(fmt.Sprintf("variable %q", b.Labels[0]), names("default", "description", "type"), b)
	if a := d.one(s, "description"); a != nil {
		d.string(a)
	}
	want := cty.DynamicPseudoType
	if a := d.one(s, "type"); a != nil {
		t, diags := typeexpr.TypeConstraint(a.Expr)
		d.diagnostics(diags)
		if diags.HasErrors() {
			return cty.DynamicVal
		}
		want = t
	}
	fallback, at := cty.NilVal, b.LabelRanges[0]
	if a := d.one(s, "default"); a != nil {
		v, ok := d.value(a.Expr)
		if !ok {
			return cty.DynamicVal
		}
		if fallback, ok = d.typed(v, want, a.Expr.Range(), b.Labels[0]); !ok {
			return cty.DynamicVal
		}
		if want == cty.DynamicPseudoType && !v.IsNull() {
			want = looseType(v.Type())
		}
	}
	switch {
	case !given && fallback == cty.NilVal:
		d.error(at, fmt.Sprintf("give --var %s=…, set GOVCTL_VAR_%s, or write a default", b.Labels[0], b.Labels[0]),
			"variable %q has no value", b.Labels[0])
		return cty.DynamicVal
	case !given:
		return fallback
	case want == cty.String || want == cty.DynamicPseudoType:
		return cty.StringVal(text)
	}
	v, ok := d.givenValue(b.Labels[0], text, at)
	if !ok {
		return cty.DynamicVal
	}
	if v, ok = d.typed(v, want, at, b.Labels[0]); !ok {
		return cty.DynamicVal
	}
	return v
}

// looseType is what a default says about the values to be given: scalars keep their
// type, lists and objects may differ in shape.
func looseType(t cty.Type) cty.Type {
	if t.IsPrimitiveType() {
		return t
	}
	return cty.Tuple([]cty.Type{}) // not a string: read as an expression, not converted
}

func (d *decoder) typed(v cty.Value, want cty.Type, at hcl.Range, name string) (cty.Value, bool) {
	if want.IsTupleType() && len(want.TupleElementTypes()) == 0 {
		return v, true
	}
	out, err := convert.Convert(v, want)
	if err != nil {
		d.error(at, "", "the value of variable %q does not fit its type: %s", name, err)
		return cty.DynamicVal, false
	}
	return out, true
}

// givenValue reads the text of --var as an expression without variables.
func (d *decoder) givenValue(name, text string, at hcl.Range) (cty.Value, bool) {
	fail := func(why string) (cty.Value, bool) {
		d.error(at, "the text is read as an HCL expression, because the variable is not a string", "the value given for variable %q cannot be read: %s", name, why)
		return cty.DynamicVal, false
	}
	expr, diags := hclsyntax.ParseExpression([]byte(text), "--var "+name, hcl.InitialPos)
	if diags.HasErrors() {
		return fail(lowerFirst(diags[0].Summary))
	}
	if leadingZero.MatchString(strings.TrimSpace(text)) {
		return fail("a number with a leading zero means different things to different readers")
	}
	v, diags := expr.Value(&hcl.EvalContext{Variables: map[string]cty.Value{}, Functions: d.ctx.Functions})
	if diags.HasErrors() {
		return fail(lowerFirst(diags[0].Summary))
	}
	return v, true
}

// decodeLocals evaluates all locals, each after those it refers to.
func (d *decoder) decodeLocals(blocks []*hcl.Block) {
	l := locals{decoder: d, attrs: map[string]*hcl.Attribute{}, values: map[string]cty.Value{}}
	for _, b := range blocks {
		attrs, diags := b.Body.JustAttributes()
		d.diagnostics(diags)
		for _, name := range slices.Sorted(maps.Keys(attrs)) {
			if first := l.attrs[name]; first != nil {
				d.twice(attrs[name].NameRange, first.NameRange, "keep one of them", "local %q is declared twice", name)
				continue
			}
			l.attrs[name] = attrs[name]
		}
	}
	d.locals = slices.Sorted(maps.Keys(l.attrs))
	d.ctx.Variables["local"] = cty.EmptyObjectVal
	for _, name := range d.locals {
		l.evaluate(name, nil)
	}
	d.ctx.Variables["local"] = cty.ObjectVal(l.values)
}

type locals struct {
	*decoder
	attrs  map[string]*hcl.Attribute
	values map[string]cty.Value
}

// evaluate sets the value of one local; path are the locals waiting for it.
func (l *locals) evaluate(name string, path []string) {
	if _, done := l.values[name]; done {
		return
	}
	a := l.attrs[name]
	if i := slices.Index(path, name); i >= 0 {
		l.error(a.NameRange, "", "local %q refers to itself: %s", name, strings.Join(append(path[i:], name), " -> "))
		l.values[name] = cty.DynamicVal
		return
	}
	path = append(path[:len(path):len(path)], name)
	for _, t := range a.Expr.Variables() {
		if t.RootName() != "local" {
			continue
		}
		wanted := l.locals // local as a whole: all of them
		if len(t) > 1 {
			attr, ok := t[1].(hcl.TraverseAttr)
			if !ok {
				continue
			}
			wanted = []string{attr.Name}
		}
		for _, other := range wanted {
			if l.attrs[other] != nil {
				l.evaluate(other, path)
			}
		}
	}
	if _, cyclic := l.values[name]; cyclic {
		return
	}
	l.ctx.Variables["local"] = cty.ObjectVal(l.values)
	v, ok := l.value(a.Expr)
	if !ok {
		v = cty.DynamicVal
	}
	l.values[name] = v
}
